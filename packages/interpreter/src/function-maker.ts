// Functions made from texts at run time. Programs have none: a realm refuses unless its host hands in a maker (the conformance runner does).

import { Intrinsic } from "./intrinsics.js";
import { makeError, throwValue } from "./errors.js";
import { type Realm, currentRealm } from "./realm.js";
import { type FunctionObject } from "./values.js";

export type FunctionSort = "function" | "generator" | "async" | "asyncGenerator";

/** Makes a function of the current realm from the texts of its parameters and its body; throws a guest SyntaxError. */
export type FunctionMaker = (sort: FunctionSort, parameters: readonly string[], body: string) => FunctionObject;

const MAKER = {};

export function setFunctionMaker(realm: Realm, maker: FunctionMaker): void {
  realm.slots.set(MAKER, maker);
}

/** CreateDynamicFunction without its prototype. */
export function makeFunction(sort: FunctionSort, parameters: readonly string[], body: string): FunctionObject {
  const maker = currentRealm().slots.get(MAKER) as FunctionMaker | undefined;
  if (maker === undefined)
    throwValue(
      makeError(Intrinsic.EvalErrorPrototype, "Code generation from strings is not allowed here: write the function in the program itself"),
    );
  return maker(sort, parameters, body);
}
