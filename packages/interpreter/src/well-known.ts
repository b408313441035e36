// What builtins read from objects again and again is cached as a program's property sites are.

import { GetCache } from "./compile/cache.js";
import { AssignCache } from "./compile/copy.js";
import { SYM } from "./values.js";

class WellKnown {
  readonly toPrimitive = new GetCache(SYM.toPrimitive);
  readonly toString = new GetCache("toString");
  readonly valueOf = new GetCache("valueOf");
  readonly hasInstance = new GetCache(SYM.hasInstance);
  readonly prototype = new GetCache("prototype");
  /** Of Object.assign. */
  readonly assign = new AssignCache();

  /** After a run: lets go of everything that belongs to its realm. */
  reset(): void {
    this.toPrimitive.reset();
    this.toString.reset();
    this.valueOf.reset();
    this.hasInstance.reset();
    this.prototype.reset();
    this.assign.reset();
  }
}

/** There as soon as something has been compiled; not before, as the modules that it needs load each other. */
export let wellKnown: WellKnown;

export function prepareWellKnown(): void {
  wellKnown ??= new WellKnown();
}
