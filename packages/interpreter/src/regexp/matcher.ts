import {
  backReference,
  exactPoints,
  isWordAt,
  lazyPoints,
  lazyUnits,
  nextString,
  seek,
  spanPoints,
  spanUnits,
  splitsPair,
} from "./reading.js";
import { unitsOf } from "./input.js";
import { NO_LIMIT } from "./ops.js";
import type { Program } from "./program.js";
import { MatchLimit, type Captures, type Meter } from "./types.js";

/** The most words of four bytes that the stack of a match may take. */
export const MAX_STACK = 1 << 24;
/** A stack up to this size is kept for the next match. */
const KEPT_STACK = 1 << 16;
/** Room that is always left for an instruction which pushes a fixed number of words. */
const ROOM = 16;

let spare: Int32Array | null = null;

/**
 * The first match at or after `from`, or, with `once`, only at `from`.
 * @see https://tc39.es/ecma262/#sec-pattern-matching
 */
export function run(program: Program, input: string, from: number, once: boolean, meter: Meter): Captures | null {
  const { code, tables, highs, atEnd, registers, captureCount, unicode } = program;
  const units = unitsOf(input, meter);
  const end = input.length;
  if (unicode && splitsPair(units, end, from)) from--;
  let fuel = meter.fuel;
  let stack = spare ?? new Int32Array(1024);
  spare = null;
  let limit = stack.length - ROOM;
  let sp = 0;
  let pc = 0;
  let pos = from;
  let start = from;
  let next = from;
  let lead = from;
  for (let i = 0; i < captureCount; i++) registers[i] = -1;

  for (;;) {
    fuel--;
    // The numbers are those of Op (ops.ts): only a switch over numbers becomes a jump table.
    // In each case, `continue` goes on at `pc`, `break` fails back to the last choice.
    switch (code[pc]) {
      case 0: {
        // Next
        if (next < lead) next = lead;
        if (once) start = next === from ? from : -1;
        else {
          start = seek(program, input, units, next);
          if (next < end) fuel -= ((start < 0 ? end : start) - next) >> program.scan.costShift;
        }
        if (start < 0) {
          meter.fuel = fuel;
          if (stack.length <= KEPT_STACK) spare = stack;
          return null;
        }
        next = start + 1;
        if (fuel < 0) {
          meter.fuel = fuel;
          meter.outOfFuel();
          fuel = meter.fuel;
        }
        stack[0] = 0;
        stack[1] = 0;
        sp = 2;
        pos = start;
        pc = 1;
        continue;
      }
      case 1: {
        // Match
        meter.fuel = fuel;
        if (stack.length <= KEPT_STACK) spare = stack;
        const captures: number[] = [start, pos];
        for (let i = 2; i < captureCount; i++) captures.push(registers[i]);
        return captures;
      }
      case 2: // Char
        if (pos >= end || units[pos] !== code[pc + 1]) break;
        pos++;
        pc += 2;
        continue;
      case 3: {
        // Text
        const length = code[pc + 1];
        if (end - pos < length) break;
        let i = 0;
        while (i < length && units[pos + i] === code[pc + 2 + i]) i++;
        if (i < length) {
          fuel -= i >> 3;
          break;
        }
        pos += length;
        pc += length + 2;
        continue;
      }
      case 4: {
        // Set
        if (pos >= end) break;
        const unit = units[pos];
        const set = code[pc + 1];
        if (unit < 256 ? tables[(set << 8) | unit] === 0 : !highs[set].has(unit)) break;
        pos++;
        pc += 2;
        continue;
      }
      case 5: {
        // Point
        const set = code[pc + 1];
        const after = spanPoints(units, pos, end, 1, tables, set << 8, highs[set]);
        if (after === pos) break;
        pos = after;
        pc += 2;
        continue;
      }
      case 6: // CharBack
        if (pos <= 0 || units[pos - 1] !== code[pc + 1]) break;
        pos--;
        pc += 2;
        continue;
      case 7: {
        // SetBack
        if (pos <= 0) break;
        const unit = units[pos - 1];
        const set = code[pc + 1];
        if (unit < 256 ? tables[(set << 8) | unit] === 0 : !highs[set].has(unit)) break;
        pos--;
        pc += 2;
        continue;
      }
      case 8: {
        // PointBack
        if (pos <= 0) break;
        const set = code[pc + 1];
        const before = pos - pointLengthBefore(units, pos, 0);
        if (spanPoints(units, before, pos, 1, tables, set << 8, highs[set]) !== pos) break;
        pos = before;
        pc += 2;
        continue;
      }
      case 9: {
        // Save
        if (sp > limit) {
          stack = grow(stack);
          limit = stack.length - ROOM;
          fuel -= stack.length >> 4;
        }
        const register = code[pc + 1];
        stack[sp++] = registers[register];
        stack[sp++] = ~register;
        registers[register] = pos;
        pc += 2;
        continue;
      }
      case 10: // Jump
        if (fuel < 0) {
          meter.fuel = fuel;
          meter.outOfFuel();
          fuel = meter.fuel;
        }
        pc = code[pc + 1];
        continue;
      case 11: {
        // Split
        const preferred = code[pc + 3];
        const other = code[pc + 4];
        let first: boolean;
        let second: boolean;
        if (pos < end) {
          const unit = units[pos];
          first = preferred < 0 || (unit < 256 ? tables[(preferred << 8) | unit] !== 0 : highs[preferred].has(unit));
          second = other < 0 || (unit < 256 ? tables[(other << 8) | unit] !== 0 : highs[other].has(unit));
        } else {
          first = preferred < 0 || atEnd[preferred] !== 0;
          second = other < 0 || atEnd[other] !== 0;
        }
        if (first) {
          if (second) {
            if (sp > limit) {
              stack = grow(stack);
              limit = stack.length - ROOM;
              fuel -= stack.length >> 4;
            }
            stack[sp++] = pos;
            stack[sp++] = code[pc + 2];
          }
          pc = code[pc + 1];
        } else if (second) pc = code[pc + 2];
        else break;
        if (fuel < 0) {
          meter.fuel = fuel;
          meter.outOfFuel();
          fuel = meter.fuel;
        }
        continue;
      }
      case 12: // Run
      case 13: {
        // RunPoints
        const set = code[pc + 1];
        const least = code[pc + 2];
        const most = code[pc + 3];
        const before = pos;
        if (code[pc] === 12 /* Run */) {
          pos = spanUnits(units, pos, most < end - pos ? pos + most : end, tables, set << 8, highs[set]);
          if (code[pc + 4] !== 0) lead = pos;
          if (pos - before < least) break;
        } else {
          const floor = least === 0 ? pos : exactPoints(units, pos, end, least, tables, set << 8, highs[set]);
          if (floor < 0) break;
          pos =
            least === most ? floor : spanPoints(units, floor, end, most === NO_LIMIT ? most : most - least, tables, set << 8, highs[set]);
          if (code[pc + 4] !== 0) lead = pos;
        }
        fuel -= (pos - before) >> 3;
        pc += 5;
        continue;
      }
      case 14: // Greedy
      case 15: {
        // GreedyPoints
        const set = code[pc + 1];
        const least = code[pc + 2];
        const most = code[pc + 3];
        const before = pos;
        let floor: number;
        if (code[pc] === 14 /* Greedy */) {
          floor = pos + least;
          pos = spanUnits(units, pos, most < end - pos ? pos + most : end, tables, set << 8, highs[set]);
          if (code[pc + 4] !== 0) lead = pos;
          if (pos < floor) break;
        } else {
          floor = least === 0 ? pos : exactPoints(units, pos, end, least, tables, set << 8, highs[set]);
          if (floor < 0) break;
          pos = spanPoints(units, floor, end, most === NO_LIMIT ? most : most - least, tables, set << 8, highs[set]);
          if (code[pc + 4] !== 0) lead = pos;
        }
        fuel -= (pos - before) >> 3;
        pc += 6;
        if (pos > floor) {
          if (sp > limit) {
            stack = grow(stack);
            limit = stack.length - ROOM;
            fuel -= stack.length >> 4;
          }
          stack[sp++] = floor;
          stack[sp++] = pos;
          stack[sp++] = pc;
        }
        // The longest run is the first choice, unless what follows can't start after it.
        const filter = code[pc + 1];
        if (filter >= 0) {
          if (pos < end) {
            const unit = units[pos];
            if (unit < 256 ? tables[(filter << 8) | unit] === 0 : !highs[filter].has(unit)) break;
          } else if (atEnd[filter] === 0) break;
        }
        pc += 2;
        continue;
      }
      case 16: // Less
      case 17: {
        // LessPoints
        const floor = stack[--sp];
        const filter = code[pc + 1];
        const points = code[pc] === 17; /* LessPoints */
        const before = pos;
        // Here at least one character can be given back, and a character follows wherever one was.
        do {
          pos -= points ? pointLengthBefore(units, pos, floor) : 1;
          if (filter < 0) break;
          const unit = units[pos];
          if (unit < 256 ? tables[(filter << 8) | unit] !== 0 : highs[filter].has(unit)) break;
        } while (pos > floor);
        fuel -= (before - pos) >> 3;
        if (pos > floor) {
          stack[sp++] = floor;
          stack[sp++] = pos;
          stack[sp++] = pc;
        }
        pc += 2;
        continue;
      }
      case 18: // Lazy
      case 19: // LazyPoints
      case 20: // More
      case 21: {
        // MorePoints
        const op = code[pc];
        const points = op === 19 /* LazyPoints */ || op === 21; /* MorePoints */
        const set = code[pc + 1];
        let ceiling: number;
        if (op === 18 /* Lazy */ || op === 19 /* LazyPoints */) {
          const least = code[pc + 2];
          const most = code[pc + 3];
          ceiling = most < end - pos ? pos + most : end;
          const floor = points
            ? exactPoints(units, pos, end, least, tables, set << 8, highs[set])
            : spanUnits(units, pos, least < end - pos ? pos + least : end, tables, set << 8, highs[set]);
          if (points ? floor < 0 : floor - pos < least) break;
          fuel -= (floor - pos) >> 3;
          pos = floor;
          pc += 4;
        } else {
          ceiling = stack[--sp];
          const after = points
            ? spanPoints(units, pos, ceiling, 1, tables, set << 8, highs[set])
            : spanUnits(units, pos, pos + 1, tables, set << 8, highs[set]);
          if (after === pos) {
            if (code[pc + 3] !== 0) lead = pos;
            break;
          }
          pos = after;
        }
        const filter = code[pc + 2];
        if (filter >= 0) {
          const before = pos;
          const found = points
            ? lazyPoints(units, pos, ceiling, end, tables, set << 8, highs[set], filter << 8, highs[filter], atEnd[filter])
            : lazyUnits(units, pos, ceiling, end, tables, set << 8, highs[set], filter << 8, highs[filter], atEnd[filter]);
          if (found < 0) {
            fuel -= ~found >> 3;
            if (code[pc + 3] !== 0) lead = before + ~found;
            break;
          }
          fuel -= (found - before) >> 3;
          pos = found;
        }
        if (pos < ceiling) {
          if (sp > limit) {
            stack = grow(stack);
            limit = stack.length - ROOM;
            fuel -= stack.length >> 4;
          }
          stack[sp++] = ceiling;
          stack[sp++] = pos;
          stack[sp++] = pc;
        }
        pc += 4;
        continue;
      }
      case 22: // Zero
      case 23: {
        // Count
        if (sp > limit) {
          stack = grow(stack);
          limit = stack.length - ROOM;
          fuel -= stack.length >> 4;
        }
        const register = code[pc + 1];
        stack[sp++] = registers[register];
        stack[sp++] = ~register;
        registers[register] = code[pc] === 22 /* Zero */ ? 0 : registers[register] + 1;
        pc += 2;
        continue;
      }
      case 24: {
        // Clear
        const first = code[pc + 1];
        const last = code[pc + 2];
        while (sp + 2 * (last - first) > limit) {
          stack = grow(stack);
          limit = stack.length - ROOM;
          fuel -= stack.length >> 4;
        }
        for (let register = first; register <= last; register++) {
          if (registers[register] === -1) continue;
          stack[sp++] = registers[register];
          stack[sp++] = ~register;
          registers[register] = -1;
        }
        fuel -= (last - first) >> 3;
        pc += 3;
        continue;
      }
      case 25: {
        // Loop
        if (fuel < 0) {
          meter.fuel = fuel;
          meter.outOfFuel();
          fuel = meter.fuel;
        }
        const turns = registers[code[pc + 1]];
        if (turns < code[pc + 2]) pc = code[pc + 4];
        else if (turns >= code[pc + 3]) pc = code[pc + 5];
        else {
          if (sp > limit) {
            stack = grow(stack);
            limit = stack.length - ROOM;
            fuel -= stack.length >> 4;
          }
          const lazy = code[pc + 6];
          stack[sp++] = pos;
          stack[sp++] = code[pc + 5 - lazy];
          pc = code[pc + 4 + lazy];
        }
        continue;
      }
      case 26: // Check
        if (registers[code[pc + 1]] === pos) break;
        pc += 2;
        continue;
      case 27: // CheckCounted
        if (registers[code[pc + 1]] === pos && registers[code[pc + 2]] > code[pc + 3]) break;
        pc += 4;
        continue;
      case 28: // Peek
      case 29: {
        // PeekBack
        const at = code[pc] === 28 /* Peek */ ? pos : pos - 1;
        const set = code[pc + 1];
        let found = 0;
        if (at >= 0 && at < end) {
          const unit = units[at];
          if (unit < 256 ? tables[(set << 8) | unit] !== 0 : highs[set].has(unit)) found = 1;
        }
        if (found !== code[pc + 2]) break;
        pc += 3;
        continue;
      }
      case 30: // Look
      case 32: {
        // LookNot
        const register = code[pc + 1];
        const first = code[pc + 2];
        const last = code[pc + 3];
        while (sp + 2 * (last - first) > limit) {
          stack = grow(stack);
          limit = stack.length - ROOM;
          fuel -= stack.length >> 4;
        }
        // What the body captures is to be undone by failing back to before the lookaround, although the body's own entries will be gone.
        for (let capture = first; capture <= last; capture++) {
          stack[sp++] = registers[capture];
          stack[sp++] = ~capture;
        }
        registers[register] = sp;
        registers[register + 1] = pos;
        if (code[pc] === 32 /* LookNot */) {
          stack[sp++] = pos;
          stack[sp++] = code[pc + 4];
        }
        pc += 5;
        continue;
      }
      case 31: // LookEnd
        sp = registers[code[pc + 1]];
        pos = registers[code[pc + 1] + 1];
        pc += 2;
        continue;
      case 33: // LookNotEnd
        sp = registers[code[pc + 1]];
        break;
      case 34: // Start
        if (pos !== 0) break;
        pc++;
        continue;
      case 35: // End
        if (pos !== end) break;
        pc++;
        continue;
      case 36: // LineStart
        if (pos !== 0 && !isLineTerminator(units[pos - 1])) break;
        pc++;
        continue;
      case 37: // LineEnd
        if (pos !== end && !isLineTerminator(units[pos])) break;
        pc++;
        continue;
      case 38: {
        // Word
        const set = code[pc + 1];
        const before = isWordAt(units, pos - 1, end, tables, set << 8, highs[set]);
        const after = isWordAt(units, pos, end, tables, set << 8, highs[set]);
        if ((before !== after ? 1 : 0) !== code[pc + 2]) break;
        pc += 3;
        continue;
      }
      case 39: {
        // BackReference
        const after = backReference(units, end, pos, registers, code, pc, unicode);
        if (after < 0) break;
        fuel -= Math.abs(after - pos) >> 3;
        pos = after;
        pc += 3 + code[pc + 2];
        continue;
      }
      case 40: // Strings
      case 41: {
        // StringsRetry
        const table = program.strings[code[pc + 1]];
        const backward = code[pc + 2] !== 0;
        const first = code[pc] === 40 /* Strings */ ? 0 : stack[--sp];
        if (code[pc] === 40 /* Strings */) pc += 3;
        const found = nextString(table, input, units, pos, first, backward);
        fuel -= table.lengths.length - first;
        if (found < 0) break;
        if (sp > limit) {
          stack = grow(stack);
          limit = stack.length - ROOM;
          fuel -= stack.length >> 4;
        }
        stack[sp++] = found + 1;
        stack[sp++] = pos;
        stack[sp++] = pc;
        pos += backward ? -table.lengths[found] : table.lengths[found];
        pc += 3;
        continue;
      }
    }

    if (fuel < 0) {
      meter.fuel = fuel;
      meter.outOfFuel();
      fuel = meter.fuel;
    }
    pc = stack[--sp];
    pos = stack[--sp];
    while (pc < 0) {
      registers[~pc] = pos;
      pc = stack[--sp];
      pos = stack[--sp];
    }
  }
}

function isLineTerminator(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;
}

/** 2 if a surrogate pair ends at `pos` and starts at or after `floor`, else 1. */
function pointLengthBefore(units: Uint16Array, pos: number, floor: number): 1 | 2 {
  if (pos - 2 < floor || (units[pos - 1] & 0xfc00) !== 0xdc00) return 1;
  return (units[pos - 2] & 0xfc00) === 0xd800 ? 2 : 1;
}

function grow(stack: Int32Array): Int32Array {
  if (stack.length >= MAX_STACK) throw new MatchLimit(`A regular expression kept more than ${MAX_STACK >> 1} alternatives open.`);
  const larger = new Int32Array(stack.length * 2);
  larger.set(stack);
  return larger;
}
