// Hard moments: each ends in a clear outcome, nothing hangs, no process is left.

import { serverCommand } from "@airlock/fixtures";
import { describe, expect, test } from "vitest";
import { config, folder, isAlive, soon, type Folder } from "./cli.js";

const LIMITS = { limits: { toolMs: 1_500, computeMs: 1_500 } };
/** Where an answer has to come, however busy the machine is. */
const PATIENT = { limits: { toolMs: 60_000 } };

function odd(limits: object = LIMITS): Folder & { file: string } {
  const place = folder();
  return { ...place, file: place.write("c.json", config(["odd", "issues"], limits)) };
}

test("200 calls at once over two servers", async () => {
  const { pipe, file } = odd();
  const program = `const calls = Array.from({ length: 200 }, (_, i) => (i % 2 ? tools.issues.get_issue({ repo: "acme/shop", number: 1 + (i % 40) }) : tools.odd.echo({ text: String(i) })));
    return (await Promise.all(calls)).length`;
  const { code, stdout, stderr } = await pipe(program, "run", "-", "--config", file);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "200\n" });
  expect(stderr).toMatch(/tools\.odd\.echo ×100, \d+ ms each\n/);
  expect(stderr).toMatch(/tools\.issues\.get_issue ×100, \d+ ms each\n/);
});

test("a server that dies in the middle of a call: its outcome is unknown, the next call starts it anew", async () => {
  const { pipe, file } = odd(PATIENT);
  const died = await pipe('await tools.odd.die({ how: "kill" })', "run", "-", "--config", file);
  expect(died.code).toBe(1);
  expect(died.stderr).toContain("whether the call took effect is unknown");
  expect(died.stderr).toContain("Calls whose outcome is unknown (they may have happened: check before you repeat them):\n- tools.odd.die");
  const again = await pipe(
    'try { await tools.odd.die({ how: "exit" }) } catch {} return await tools.odd.echo({ text: "back" })',
    "run",
    "-",
    "--config",
    file,
  );
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("back") });
});

test("a tool that never answers", async () => {
  const { pipe, file } = odd();
  const { code, stderr } = await pipe("await tools.odd.never()", "run", "-", "--config", file);
  expect(code).toBe(1);
  expect(stderr).toContain("did not answer within 1500 ms (limit toolMs)");
  expect(await pipe("try { await tools.odd.never() } catch (error) { return error.message }", "run", "-", "--config", file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("did not answer"),
  });
});

test("a result of 50 MB", async () => {
  const { pipe, file } = odd(PATIENT);
  const { code, stderr } = await pipe("return (await tools.odd.big({ bytes: 50_000_000 })).length", "run", "-", "--config", file);
  expect(code).toBe(1);
  expect(stderr).toContain("the limit stringLength is 33554432. The call itself did run.");
});

test("while (true) {}", async () => {
  const { pipe, file } = odd();
  const { code, stderr } = await pipe("while (true) {}", "run", "-", "--config", file);
  expect(code).toBe(1);
  expect(stderr).toMatch(/limit (computeMs|steps)/); // an empty loop may come to its steps first
});

describe("Ctrl-C", () => {
  const family = "const { pid, parent } = await tools.odd.family(); console.log('pid', pid); await tools.issues.list_repositories();";

  test.each([
    ["a call that hangs", `${family} await tools.odd.never()`],
    ["a program that computes", `${family} while (true) {}`],
    ["a program that waits", `${family} await new Promise((resolve) => setTimeout(resolve, 60_000))`],
  ])("ends %s, its calls and its children, and says what had been done", async (_, program) => {
    const { start, write } = folder();
    const file = write("c.json", config(["odd", "issues"]));
    const { child, ended, told } = start("run", "-", "--config", file);
    child.stdin.end(program);
    await told("tools.issues.list_repositories()");
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("Aborted");
    expect(stderr).toContain("Calls done before the failure (do not repeat what they changed):\n- tools.odd.family");
    expect(stderr).toContain("- tools.issues.list_repositories");
    if (program.includes("never"))
      expect(stderr).toContain("Calls whose outcome is unknown (they may have happened: check before you repeat them):\n- tools.odd.never");
    const pid = Number(/pid (\d+)/.exec(stderr)?.[1]);
    expect(pid).toBeGreaterThan(1);
    expect(await soon(() => !isAlive(pid))).toBe(true);
  });

  test("while servers start", async () => {
    const { start, write } = folder();
    const file = write("c.json", { mcpServers: { slow: serverCommand("odd", "--slow", "20000") } });
    const { child, ended, told } = start("tools", "--config", file);
    await told("Waiting for MCP servers to start: slow");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Nothing was run") });
  });

  test("SIGTERM and SIGHUP end a run as well", async () => {
    const { start, write } = folder();
    const file = write("c.json", config(["odd"]));
    for (const [signal, expected] of [
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      const { child, ended, told } = start("run", "-", "--config", file);
      child.stdin.end("console.log('pid', (await tools.odd.family()).pid); await tools.odd.never()");
      await told("pid");
      child.kill(signal);
      const { code, stderr } = await ended;
      expect(code).toBe(expected);
      expect(await soon(() => !isAlive(Number(/pid (\d+)/.exec(stderr)?.[1])))).toBe(true);
    }
  });

  test("SIGKILL leaves no server behind", async () => {
    const { start, write } = folder();
    const file = write("c.json", config(["odd"]));
    const { child, ended, told } = start("run", "-", "--config", file);
    child.stdin.end("console.log('pid', (await tools.odd.family()).pid); await tools.odd.never()");
    await told("pid");
    child.kill("SIGKILL");
    const { stderr } = await ended;
    expect(await soon(() => !isAlive(Number(/pid (\d+)/.exec(stderr)?.[1])))).toBe(true);
  });
});
