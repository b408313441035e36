import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { config, folder } from "./cli.js";

describe("the result", () => {
  test("a value as JSON on stdout, a text as it is, the log on stderr", async () => {
    const { pipe } = folder();
    expect(await pipe("console.log('hello'); return { a: [1, 2] }", "run", "-")).toEqual({
      code: 0,
      stdout: '{\n  "a": [\n    1,\n    2\n  ]\n}\n',
      stderr: "hello\n",
    });
    expect((await pipe("'plain text'", "run", "-")).stdout).toBe("plain text\n");
  });

  test("--json: one document, for a failure too", async () => {
    const { pipe } = folder();
    const completed = await pipe("console.log(1); return 2", "run", "-", "--json");
    expect(JSON.parse(completed.stdout)).toMatchObject({
      status: "completed",
      value: 2,
      logs: [{ text: "1" }],
      calls: [],
      stats: { toolCalls: 0 },
    });
    expect(completed.stderr).toBe("");
    const failed = await pipe("throw new TypeError('no')", "run", "-", "--json");
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: "failed",
      error: { kind: "uncaught", name: "TypeError", message: "no", location: { line: 1 } },
    });
    expect(failed.code).toBe(1);
  });

  test("a failure: what, where in which file, exit 1", async () => {
    const { write, run } = folder();
    write("p.js", "const a = 1;\nnull.x;\n");
    const { code, stdout, stderr } = await run("run", "p.js");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("TypeError");
    expect(stderr).toContain("p.js:2:");
  });

  test("--input is `input`; --timeout ends the run", async () => {
    const { pipe, write } = folder();
    expect((await pipe("return input.a + 1", "run", "-", "--input", '{"a":1}')).stdout).toBe("2\n");
    write("data.json", "[1,2,3]");
    expect((await pipe("return input.length", "run", "-", "--input", "@data.json")).stdout).toBe("3\n");
    const late = await pipe("await new Promise((resolve) => setTimeout(resolve, 60_000))", "run", "-", "--timeout", "0.3");
    expect(late.code).toBe(1);
    expect(late.stderr).toContain("wallMs");
  });
});

describe("calls", () => {
  test("each has a line on stderr while it runs, the result stays alone on stdout", async () => {
    const { write, pipe } = folder();
    const file = write("c.json", config(["issues"]));
    const { code, stdout, stderr } = await pipe(
      'const { title } = await tools.issues.get_issue({ repo: "acme/shop", number: 45 }); title',
      "run",
      "-",
      "--config",
      file,
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Invoice export needs pagination\n" });
    expect(stderr).toMatch(/^✓ tools\.issues\.get_issue\(\{"number":45,"repo":"acme\/shop"\}\) \d+ ms\n$/);
  });

  test("nobody to ask: exit 3, and what to do; --yes and --allow let it run; a configured deny beats both", async () => {
    const { write, pipe } = folder();
    const asks = write("asks.json", config(["chat"], { permission: {} }));
    const program = "const channels = await tools.chat.list_channels(); return channels.length";
    const denied = await pipe(program, "run", "-", "--config", asks);
    expect(denied.code).toBe(3);
    expect(denied.stderr).toContain("there is nobody to ask");
    expect(denied.stderr).toContain("To allow it: --allow 'chat.list_channels'");
    expect(await pipe(program, "run", "-", "--config", asks, "--yes")).toMatchObject({ code: 0, stdout: "4\n" });
    expect(await pipe(program, "run", "-", "--config", asks, "--allow", "tools.chat.list_*")).toMatchObject({ code: 0 });
    expect(await pipe(program, "run", "-", "--config", asks, "--yes", "--deny", "chat.*")).toMatchObject({ code: 3 });
    const denies = write("denies.json", config(["chat"], { permission: { "chat.list_channels": { "{*": "deny" } } }));
    expect(await pipe(program, "run", "-", "--config", denies, "--yes", "--allow", "chat.*")).toMatchObject({ code: 3 });
  });

  test("--dry-run runs nothing; --check stops before a denied call", async () => {
    const { write, pipe } = folder();
    const file = write("c.json", config(["chat"], { permission: { "*": "allow", "chat.set_topic": { "{*": "deny" } }, limits: {} }));
    const dry = await pipe('console.log("ran"); await tools.chat.list_users()', "run", "-", "--config", file, "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toMatch(/1 {2}tools\.chat\.list_users {2}allowed/);
  });

  test("--media writes the images of the result", async () => {
    const { write, pipe, path } = folder();
    const file = write("c.json", config(["odd"]));
    const { code, stderr } = await pipe("return await tools.odd.media()", "run", "-", "--config", file, "--media", ".");
    expect(code).toBe(0);
    const [png] = readdirSync(path).filter((name) => name.endsWith(".png"));
    expect(readFileSync(join(path, png)).subarray(1, 4).toString()).toBe("PNG");
    expect(stderr).toContain(png);
  });
});

test("a server that did not start: said to the person, and in the failure of a program that names it", async () => {
  const { pipe, write } = folder();
  const file = write("c.json", { mcpServers: { gone: { command: process.execPath, args: ["/nowhere/x.js"] } } });
  const { code, stderr } = await pipe("return await tools.gone.list()", "run", "-", "--config", file);
  expect(code).toBe(1);
  expect(stderr).toContain('MCP server "gone" ended with exit code 1');
  expect(stderr).toContain("Cannot find module '/nowhere/x.js'");
  expect(stderr).not.toContain("    at ");
  expect(stderr).toContain('tools.gone is not there: MCP server "gone" ended with exit code 1');
});

describe("what is no program", () => {
  const cases: [string, string | Buffer, RegExp][] = [
    ["empty", "", /program is empty/],
    ["blank", " \n\n", /program is empty/],
    ["not UTF-8", Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x63]), /is not UTF-8 text: byte 0xff in line 2 \(offset 3\)/],
    ["UTF-16", Buffer.from("\ufeffreturn 1", "utf16le"), /UTF-16/],
    ["too large", `"${"x".repeat(300_000)}"`, /at most 262144 are allowed|sourceBytes/],
    ["a shell command", "git status", /shell command, not a program/],
    ["a syntax error", "const = 1", /Syntax error in line 1/],
  ];
  test.each(cases)("%s", async (_, content, message) => {
    const { write, run } = folder();
    write("p.js", content);
    for (const command of ["run", "check"]) {
      const { code, stdout, stderr } = await run(command, "p.js");
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(message);
    }
  });

  test("a file that is not there is wrong usage", async () => {
    const { run } = folder();
    expect(await run("run", "nowhere.js")).toMatchObject({ code: 2, stderr: "airlock: There is no file nowhere.js.\n" });
    expect(await run("run", ".")).toMatchObject({ code: 2 });
    expect((await run("run", "return 1 + 1;")).stderr).toContain("airlock run -");
  });

  test("wrong options: the nearest, exit 2", async () => {
    const { run } = folder();
    const wrong = await run("run", "p.js", "--jsn");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("Did you mean --json?");
    expect((await run("rnu")).stderr).toContain("Did you mean run?");
    expect(await run("run", "p.js", "--input", "{a")).toMatchObject({ code: 2 });
    expect(await run("run", "p.js", "--timeout", "soon")).toMatchObject({ code: 2 });
    expect(await run("run", "p.js", "--allow", "=x")).toMatchObject({ code: 2 });
    const json = await run("run", "nowhere.js", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ status: "failed", error: { kind: "usage" } });
  });
});

test("foreign text can't act in the terminal", async () => {
  const { pipe } = folder();
  const { stderr } = await pipe("console.log('a\\u001b[2Jb\\u202ec'); throw new Error('x\\u001b]0;t\\u0007')", "run", "-");
  expect(stderr).toContain("a\\u001b[2Jb\\u202ec");
  expect(stderr).not.toContain("\u001b");
});
