// Installing a run: its fields of the current run's state are put in place on every entry into guest code, and the outer ones come back
// on exit. So runs nest and interleave.

import type { Realm } from "../realm.js";
import { R, type RunControl, type RunState } from "../run-state.js";

/** In the list of call sites: no call was ever so deep. (-1 is a call from no known site.) */
export const NEVER = -2;

/** Copies every field. */
export function copyState(to: RunState, from: RunState): void {
  to.fuel = from.fuel;
  to.depth = from.depth;
  to.depthMax = from.depthMax;
  to.stack = from.stack;
  to.stackMax = from.stackMax;
  to.mem = from.mem;
  to.site = from.site;
  to.sites = from.sites;
  to.epoch = from.epoch;
  to.intact = from.intact;
  to.stringLength = from.stringLength;
  to.arrayLength = from.arrayLength;
  to.texts = from.texts;
  to.newTarget = from.newTarget;
  to.realm = from.realm;
  to.intrinsics = from.intrinsics;
  to.globals = from.globals;
  to.run = from.run;
}

/** The state of a run that is about to start. */
export function newState(
  realm: Realm,
  run: RunControl,
  depthMax: number,
  stackMax: number,
  lengths: { stringLength: number; arrayLength: number },
): RunState {
  // Frames write their call site here; writes beyond the end are ignored by the language.
  const depths = Math.min(depthMax, Math.ceil(stackMax / 200)) + 16;
  return {
    fuel: 0,
    depth: 0,
    depthMax,
    stack: 0,
    stackMax,
    mem: 0,
    site: -1,
    sites: new Int32Array(depths).fill(NEVER),
    epoch: realm.epoch,
    intact: realm.intact,
    stringLength: lengths.stringLength,
    arrayLength: lengths.arrayLength,
    texts: false,
    newTarget: undefined,
    realm,
    intrinsics: realm.intrinsics,
    globals: realm.globals,
    run,
  };
}

/** The state when no run is active: what was there at load. */
const NONE: RunState = { ...R };

/** Whether some run's guest code is active below. */
export function isInside(): boolean {
  return R.run !== NONE.run;
}

/** What has to be put back when the run is left. */
export function outerState(): RunState {
  return isInside() ? { ...R } : NONE;
}
