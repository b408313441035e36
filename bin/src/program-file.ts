// A program from a file or from stdin. What can't be one is told as a diagnostic of the program, like any other mistake in it.

import { readFileSync, statSync } from "node:fs";
import { DEFAULT_LIMITS, type Diagnostic } from "@airlock/interpreter";
import { UsageError } from "./exit.js";

export type ProgramFile = { name: string; code: string } | { name: string; problem: Diagnostic };

/**
 * @param file a path, or "-" for stdin
 * @param sourceBytes the limit of a program's size: a larger file is not read at all
 * @throws UsageError if there is no such file
 */
export async function readProgram(file: string, sourceBytes: number = DEFAULT_LIMITS.sourceBytes): Promise<ProgramFile> {
  const name = file === "-" ? "stdin" : file;
  if (file === "-") {
    if (process.stdin.isTTY) process.stderr.write("Write the program, and end it with Ctrl-D.\n");
    const bytes = await readStdin(sourceBytes);
    return bytes === undefined ? { name, problem: tooLarge(name, undefined, sourceBytes) } : decoded(name, bytes);
  }
  const size = sizeOf(file);
  if (size > sourceBytes) return { name, problem: tooLarge(name, size, sourceBytes) };
  return decoded(name, readFileSync(file));
}

function sizeOf(file: string): number {
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw new UsageError(`${file} is a folder; a program is a file, or - for stdin.`);
    return stat.isFile() ? stat.size : 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new UsageError(
      missing ? `There is no file ${file}.` : `${file} can't be read: ${error instanceof Error ? error.message : String(error)}`,
      looksLikeCode(file) ? ["To run code that is no file: echo 'CODE' | airlock run -"] : [],
    );
  }
}

function looksLikeCode(text: string): boolean {
  return /[(;={]/.test(text);
}

function decoded(name: string, bytes: Buffer): ProgramFile {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { name, problem: problem(`${name} is UTF-16 text.`, "Save it as UTF-8.") };
  const code = bytes.toString("utf8");
  const again = Buffer.from(code);
  if (!again.equals(bytes)) {
    const at = again.findIndex((byte, index) => byte !== bytes[index]);
    const line = bytes.subarray(0, at).toString("utf8").split("\n").length;
    return {
      name,
      problem: problem(
        `${name} is not UTF-8 text: byte 0x${bytes[at]?.toString(16) ?? "?"} in line ${line} (offset ${at}).`,
        "A program is text in UTF-8.",
      ),
    };
  }
  return { name, code };
}

function problem(message: string, hint: string): Diagnostic {
  return { kind: "syntax", message, hints: [hint] };
}

function tooLarge(name: string, size: number | undefined, most: number): Diagnostic {
  const has = size === undefined ? `more than ${most} bytes` : `${size} bytes; at most ${most} are allowed`;
  return {
    kind: "limit",
    limit: "sourceBytes",
    message: `${name} has ${has}.`,
    hints: ["Give data with --input, or read it with a tool, instead of writing it into the program."],
  };
}

/** Undefined if there is more than `most`. */
async function readStdin(most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    if (size > most) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
