// The text of console.table.

import { isArray } from "../src/convert.js";
import { getOwn } from "../src/object.js";
import { charge } from "../src/run-state.js";
import { Flag, tableOf } from "../src/shape.js";
import { Accessor, FIRST_EXOTIC, type GuestObject, HOLE, Kind, type Value, isObject } from "../src/values.js";
import { inspect } from "./inspect.js";

const MAX_ROWS = 1000;
const MAX_COLUMNS = 50;
const MAX_CELL = 200;
const VALUES = "Values";

/** Undefined for what has no rows. */
export function tableText(data: Value, only: Value): string | undefined {
  if (!isObject(data)) return undefined;
  const collection = data.kind === Kind.MAP || data.kind === Kind.SET;
  const rows = rowsOf(data);
  const chosen = isObject(only) && only.kind === Kind.ARRAY ? (only.d as Value[]).filter((v): v is string => typeof v === "string") : null;
  const columns: string[] = chosen === null ? [] : chosen.slice(0, MAX_COLUMNS).map((name) => name.slice(0, MAX_CELL));
  const lines: Map<string, string>[] = [];
  let anyValue = false;
  for (const [, v] of rows) {
    charge(1);
    const line = new Map<string, string>();
    if (isObject(v) && v.kind !== Kind.FUNCTION) {
      for (const [key, item] of cellsOf(v)) {
        if (!columns.includes(key)) {
          if (chosen !== null || columns.length >= MAX_COLUMNS) continue;
          columns.push(key);
        }
        line.set(key, item);
      }
    } else {
      anyValue = true;
      line.set(VALUES, cell(v));
    }
    lines.push(line);
  }
  const head = [collection ? "(iteration index)" : "(index)", ...columns, ...(anyValue ? [VALUES] : [])];
  const body = lines.map((line, i) => [rows[i][0], ...head.slice(1).map((c) => line.get(c) ?? "")]);
  return draw(head, body);
}

function cell(v: Value): string {
  const text = inspect(v, 0).replaceAll("\n", " ");
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}

function rowsOf(data: GuestObject): [string, Value][] {
  const rows: [string, Value][] = [];
  if (data.kind === Kind.MAP || data.kind === Kind.SET) {
    let i = 0;
    for (const v of (data.d as Map<Value, Value> | Set<Value>).values()) {
      if (i >= MAX_ROWS) break;
      rows.push([String(i++), v]);
    }
    return rows;
  }
  if (data.kind === Kind.ARRAY) {
    (data.d as Value[]).slice(0, MAX_ROWS).forEach((v, i) => rows.push([String(i), v === HOLE ? undefined : v]));
    return rows;
  }
  if (data.kind >= FIRST_EXOTIC && !isArray(data)) return rows;
  for (const [key, v] of dataOf(data)) rows.push([key, v]);
  return rows;
}

function cellsOf(v: GuestObject): [string, string][] {
  if (v.kind === Kind.ARRAY) return (v.d as Value[]).slice(0, MAX_COLUMNS).map((item, i) => [String(i), item === HOLE ? "" : cell(item)]);
  if (v.kind >= FIRST_EXOTIC) return [];
  return dataOf(v).map(([key, item]) => [key, cell(item)]);
}

/** The enumerable data properties. */
function dataOf(o: GuestObject): [string, Value][] {
  const out: [string, Value][] = [];
  for (const [key, entry] of tableOf(o.shape)) {
    if (out.length >= MAX_ROWS) break;
    if (typeof key !== "string" || (entry & Flag.ENUMERABLE) === 0) continue;
    const slot = getOwn(o, key)?.slot;
    if (!(slot instanceof Accessor)) out.push([key.slice(0, MAX_CELL), slot]);
  }
  return out;
}

const width = (s: string): number => [...s].length;

function draw(head: string[], body: string[][]): string {
  const widths = head.map((h, i) => Math.max(width(h), ...body.map((row) => width(row[i]))) + 2);
  const line = (left: string, middle: string, right: string): string => left + widths.map((w) => "─".repeat(w)).join(middle) + right;
  const row = (cells: string[]): string => `│${cells.map((c, i) => ` ${c}${" ".repeat(widths[i] - width(c) - 1)}`).join("│")}│`;
  return [line("┌", "┬", "┐"), row(head), line("├", "┼", "┤"), ...body.map(row), line("└", "┴", "┘")].join("\n");
}
