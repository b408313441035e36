// Functions made from texts at run time. Programs have none: a realm refuses unless its host hands in a maker (the conformance runner does).
// `new Function()` has no text to make code from: it is an empty function.

import { Intrinsic } from "./intrinsics.js";
import { makeError, throwValue } from "./errors.js";
import { type Realm, currentRealm, nativeClosure, nativeCode } from "./realm.js";
import { type FunctionObject } from "./values.js";

export type FunctionSort = "function" | "generator" | "async" | "asyncGenerator";

/** Makes a function of the current realm from the texts of its parameters and its body; throws a guest SyntaxError. */
export type FunctionMaker = (sort: FunctionSort, parameters: readonly string[], body: string) => FunctionObject;

const MAKER = {};

export function setFunctionMaker(realm: Realm, maker: FunctionMaker): void {
  realm.slots.set(MAKER, maker);
}

const EMPTY = nativeCode("anonymous", 0, () => undefined);

/** CreateDynamicFunction without its prototype. */
export function makeFunction(sort: FunctionSort, parameters: readonly string[], body: string | undefined): FunctionObject {
  const maker = currentRealm().slots.get(MAKER) as FunctionMaker | undefined;
  if (maker !== undefined) return maker(sort, parameters, body ?? "");
  if (body === undefined && sort === "function") return nativeClosure(EMPTY, null);
  throwValue(
    makeError(Intrinsic.EvalErrorPrototype, "Code generation from strings is not allowed here: write the function in the program itself"),
  );
}
