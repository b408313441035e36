// Generators and async generators (ECMAScript 27.3 to 27.7): the prototypes of their functions and of their objects.

import { GENERATOR_NEXT, Mode, enqueueAsyncGenerator, resumeGenerator } from "../src/compile/activation.js";
import { Intrinsic } from "../src/intrinsics.js";
import { HIDDEN, type PropertySpec, define, functionProperty, method, ref, value } from "../src/realm.js";
import { Flag } from "../src/shape.js";
import { SYM } from "../src/values.js";

const tag = (name: string): PropertySpec => value(SYM.toStringTag, name, Flag.CONFIGURABLE);

define(Intrinsic.GeneratorFunctionPrototype, {
  proto: Intrinsic.FunctionPrototype,
  props: [
    ref("prototype", Intrinsic.GeneratorPrototype, Flag.CONFIGURABLE),
    ref("constructor", Intrinsic.GeneratorFunction, Flag.CONFIGURABLE),
    tag("GeneratorFunction"),
  ],
});

define(Intrinsic.GeneratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [
    ref("constructor", Intrinsic.GeneratorFunctionPrototype, Flag.CONFIGURABLE),
    functionProperty("next", GENERATOR_NEXT, HIDDEN),
    method("return", 1, (t, v) => resumeGenerator(t, Mode.RETURN, v, "return")),
    method("throw", 1, (t, v) => resumeGenerator(t, Mode.THROW, v, "throw")),
    tag("Generator"),
  ],
});

define(Intrinsic.AsyncFunctionPrototype, {
  proto: Intrinsic.FunctionPrototype,
  props: [ref("constructor", Intrinsic.AsyncFunction, Flag.CONFIGURABLE), tag("AsyncFunction")],
});

define(Intrinsic.AsyncGeneratorFunctionPrototype, {
  proto: Intrinsic.FunctionPrototype,
  props: [
    ref("prototype", Intrinsic.AsyncGeneratorPrototype, Flag.CONFIGURABLE),
    ref("constructor", Intrinsic.AsyncGeneratorFunction, Flag.CONFIGURABLE),
    tag("AsyncGeneratorFunction"),
  ],
});

define(Intrinsic.AsyncGeneratorPrototype, {
  proto: Intrinsic.AsyncIteratorPrototype,
  props: [
    ref("constructor", Intrinsic.AsyncGeneratorFunctionPrototype, Flag.CONFIGURABLE),
    method("next", 1, (t, v) => enqueueAsyncGenerator(t, Mode.NEXT, v, "next")),
    method("return", 1, (t, v) => enqueueAsyncGenerator(t, Mode.RETURN, v, "return")),
    method("throw", 1, (t, v) => enqueueAsyncGenerator(t, Mode.THROW, v, "throw")),
    tag("AsyncGenerator"),
  ],
});
