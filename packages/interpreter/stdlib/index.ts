// All globals of programs. Each file describes its own; the order is the order of the global object's properties.

import "./object.js";
import "./object-prototype.js";
import "./function.js";
import "./globals.js";
import "./number.js";
import "./bigint.js";
import "./math.js";

import { describeGlobal } from "../src/realm.js";

describeGlobal();
