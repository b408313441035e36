// Stand-ins for the shape of a primitive: the root shape of its wrapper's prototype.

import { Intrinsic } from "../intrinsics.js";
import { rootOf } from "../shape.js";

export const STRING_ROOT = rootOf(Intrinsic.StringPrototype);
export const NUMBER_ROOT = rootOf(Intrinsic.NumberPrototype);
export const BOOLEAN_ROOT = rootOf(Intrinsic.BooleanPrototype);
export const BIGINT_ROOT = rootOf(Intrinsic.BigIntPrototype);
export const SYMBOL_ROOT = rootOf(Intrinsic.SymbolPrototype);
