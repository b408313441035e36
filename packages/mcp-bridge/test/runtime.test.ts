// The bridge with the real catalog and runtime.

import { createCatalog } from "@airlock/catalog";
import { serverCommand } from "@airlock/fixtures";
import { createRuntime } from "@airlock/runtime";
import { expect, test } from "vitest";
import { connect, later } from "./bridge.js";

test("servers' tools go through the catalog and the call pipeline", async () => {
  const connections = await connect({ issues: serverCommand("issues"), odd: serverCommand("odd") });
  const runtime = createRuntime({ catalog: createCatalog(connections.tools), permission: { "*": "allow" } });
  later(() => runtime.close());
  expect(await runtime.call("tools.issues.get_issue", { repo: "acme/shop", number: 1 })).toMatchObject({
    state: "completed",
    result: { value: { number: 1 } },
  });
  expect(await runtime.call("tools.issues.get_issue", { repo: "acme/shop" })).toMatchObject({
    state: "error",
    error: { kind: "invalid-input" },
  });
  expect(await runtime.call("tools.odd.__proto__", {})).toMatchObject({ state: "completed", result: { value: "__proto__" } });
  expect(await runtime.call("tools.odd.missing_structured", {})).toMatchObject({ state: "completed", result: { value: "the score is 7" } });
  expect(await runtime.call("tools.odd.die", {})).toMatchObject({
    state: "interrupted",
    error: { kind: "tool-failed", name: "OutcomeUnknown", hints: [expect.stringContaining("before you repeat it")] },
  });
  expect(await runtime.call("tools.odd.echo", { text: "again" })).toMatchObject({ state: "completed", result: { value: "again" } });
});
