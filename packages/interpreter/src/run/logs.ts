// The console's entries, kept and handed on within `logBytes`.

import type { Json, Limits, LogEntry } from "../api.js";
import { copyLogged } from "../boundary/copy-log.js";
import type { Value } from "../values.js";

/** What an entry costs beside its texts. */
const ENTRY_BYTES = 32;

export class Logs {
  readonly entries: LogEntry[] = [];
  /** Set once something was left out. */
  isCut = false;
  private left: number;
  private readonly onEntry: (entry: LogEntry) => void;
  constructor(limits: Limits, onEntry: (entry: LogEntry) => void) {
    this.left = limits.logBytes;
    this.onEntry = onEntry;
  }

  /** Inside guest code: copying the arguments is charged to the run. */
  add(level: LogEntry["level"], text: string, values: readonly Value[]): void {
    if (this.isCut) return;
    this.left -= ENTRY_BYTES + text.length;
    let kept = text;
    let args: Json[] = [];
    if (this.left < 0) {
      kept = text.slice(0, Math.max(0, text.length + this.left));
      this.isCut = true;
      if (kept === "") return;
    } else {
      // Plain texts are their own arguments.
      const copied = copyLogged(values, this.left);
      args = copied.args;
      if (!(values.length === 1 && values[0] === text)) this.left -= copied.bytes;
      if (this.left < 0) this.isCut = true;
    }
    const entry: LogEntry = { level, text: kept, args };
    this.entries.push(entry);
    this.onEntry(entry);
  }
}
