// The programs of the shared sandbox folder through the whole runtime, in workers; each in a host process of its own with checks of the
// host. (Without isolation they are run by the interpreter's tests.)

import { fileURLToPath } from "node:url";
import { describe } from "vitest";
import { testCases } from "../../../test/support/sandbox.js";
import { sharedPath } from "../../../test/support/shared.js";

const folder = sharedPath("cases", "sandbox");

describe.skipIf(folder === undefined)("sandbox cases in a worker", () => {
  testCases(folder, [fileURLToPath(new URL("support/sandbox-child.mjs", import.meta.url)), "worker"], 3, 60_000);
});
