// Sessions of the agent in the person's data folder: a file for each, a line for each record, only ever appended to.

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { memoryStore, SessionBusyError, UnknownSessionError, type Session, type SessionRecord, type SessionStore } from "@airlock/agent";
import { dataFolder } from "./config/folders.js";

/** @example runAgent({ store: fileStore(), … }) */
export function fileStore(folder: string = join(dataFolder(), "sessions")): SessionStore {
  // Makes ids and records; what is kept is the files.
  const maker = memoryStore();
  const stand = new Map<string, string>();
  const path = (id: string): string => join(folder, `${id}.jsonl`);
  const get = async (id: string): Promise<Session | undefined> => {
    if (!/^ses_\w+$/.test(id)) return undefined;
    const createdAt = statSync(path(id), { throwIfNoEntry: false })?.birthtimeMs;
    return createdAt === undefined ? undefined : { id, createdAt };
  };
  return {
    async create() {
      const session = await maker.create();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(path(session.id), "ax", 0o600));
      stand.set(session.id, session.id);
      return session;
    },
    get,
    async list() {
      const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isFile() && entry.name.endsWith(".jsonl") ? [entry.name.slice(0, -6)] : [],
      );
      const sessions = await Promise.all(names.map(get));
      return sessions.filter((session) => session !== undefined).toSorted((a, b) => b.createdAt - a.createdAt);
    },
    async append(sessionId, entry) {
      if (!stand.has(sessionId)) stand.set(sessionId, (await maker.create()).id);
      const made = await maker.append(stand.get(sessionId) ?? sessionId, entry);
      const record: SessionRecord = { ...made, sessionId };
      const file = openSync(path(sessionId), "a", 0o600);
      try {
        writeSync(file, `${JSON.stringify(record)}\n`);
      } finally {
        closeSync(file);
      }
      return record;
    },
    async records(sessionId) {
      if ((await get(sessionId)) === undefined) throw new UnknownSessionError(sessionId);
      return readFileSync(path(sessionId), "utf8").split("\n").flatMap(recordOf);
    },
    async lock(sessionId) {
      const lock = `${path(sessionId)}.lock`;
      const owner = lockOwner(lock);
      if (owner !== undefined && owner !== process.pid && isAlive(owner)) throw new SessionBusyError(sessionId);
      if (owner !== undefined) unlinkSync(lock);
      const file = openSync(lock, "wx", 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return async () => unlinkSync(lock);
    },
  };
}

/** A line that a crash cut off is no record. */
function recordOf(line: string): SessionRecord[] {
  try {
    return [JSON.parse(line) as SessionRecord];
  } catch {
    return [];
  }
}

function lockOwner(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
