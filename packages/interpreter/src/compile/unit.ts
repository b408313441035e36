// What compiling a program shares: its sites, its caches, the analysis. And the protocol between compiled closures.

import type { ParsedProgram } from "../parse/index.js";
import type { Frame, Value } from "../values.js";
import { FieldCache, GetCache, PrivateCache, PrivateFieldCache, SetCache } from "./cache.js";
import { CopyCache, DefineCache } from "./copy.js";
import type { Analysis } from "./scope.js";
import type { Key } from "../values.js";
import { prepareWellKnown } from "../well-known.js";

/**
 * A compiled expression gives its value, a compiled statement its completion: undefined is normal, a Completion is break, continue,
 * SUSPEND or "return undefined", anything else is the returned value.
 */
export type Ev = (f: Frame) => Value;
export type Test = (f: Frame) => boolean;

export class Completion {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
const completion = (name: string): Value => new Completion(name) as unknown as Value; // lives where completions live, never a program's value

export const RETURN_UNDEFINED = completion("return undefined");
/** The activation waits: its frame holds where to go on. */
export const SUSPEND = completion("suspend");

export function newTarget(name: string): Value {
  return completion(name);
}

/** How deep closures nest: an estimate of the host stack that a body needs. */
export interface Site {
  /** Offset in the source. */
  offset: number;
  /** The function that it stands in, as a stack trace names it. */
  name: string;
}

export class Unit {
  readonly program: ParsedProgram;
  readonly analysis: Analysis;
  readonly sites: Site[] = [];
  private readonly caches: { reset(): void }[] = [];
  /** Templates, by realm: what a tagged template's site made. */
  constructor(program: ParsedProgram, analysis: Analysis) {
    prepareWellKnown();
    this.program = program;
    this.analysis = analysis;
  }

  site(offset: number, name: string): number {
    this.sites.push({ offset, name });
    return this.sites.length - 1;
  }

  getCache(key: Key): GetCache {
    const c = new GetCache(key);
    this.caches.push(c);
    return c;
  }

  setCache(key: Key): SetCache {
    const c = new SetCache(key);
    this.caches.push(c);
    return c;
  }

  copyCache(excluded: readonly Key[] | null): CopyCache {
    const c = new CopyCache(excluded);
    this.caches.push(c);
    return c;
  }

  defineCache(key: string): DefineCache {
    const c = new DefineCache(key);
    this.caches.push(c);
    return c;
  }

  fieldCache(key: Key): FieldCache {
    const c = new FieldCache(key);
    this.caches.push(c);
    return c;
  }

  privateCache(): PrivateCache {
    const c = new PrivateCache();
    this.caches.push(c);
    return c;
  }

  privateFieldCache(): PrivateFieldCache {
    const c = new PrivateFieldCache();
    this.caches.push(c);
    return c;
  }

  /** After a run: lets go of everything that belongs to its realm. */
  reset(): void {
    for (const c of this.caches) c.reset();
  }

  text(start: number, end: number): string {
    return this.program.source.slice(start, end);
  }
}
