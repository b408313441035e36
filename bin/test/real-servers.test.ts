// Servers from npm through the command line: filesystem, memory, everything.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, npmServer, type Folder } from "./cli.js";

function place(): Folder {
  const one = folder();
  one.write("notes/a.txt", "first line\nsecond line\n");
  one.write("airlock.test.json", {
    permission: { "*": "allow" },
    mcpServers: {
      files: npmServer("filesystem", one.path),
      memory: { ...npmServer("memory"), env: { MEMORY_FILE_PATH: join(one.path, "memory.jsonl") } },
      everything: npmServer("everything"),
    },
  });
  return one;
}

const CONFIG = ["--config", "airlock.test.json"];

test("list and search", async () => {
  const { run } = place();
  const list = JSON.parse((await run("tools", "--json", ...CONFIG)).stdout) as { server: string; path: string }[];
  expect([...new Set(list.map(({ server }) => server))].sort()).toEqual(["everything", "files", "memory"]);
  expect(list.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["tools.files.read_text_file", "tools.memory.read_graph", 'tools.everything["get-sum"]']),
  );
  const found = await run("tools", "write", "a", "file", ...CONFIG);
  expect(found.stdout.split("\n")[0]).toMatch(/^tools\.files\.write_file\(input: \{ path: string; content: string \}\)/);
  const declarations = await run("tools", "--declarations", "--server", "memory", ...CONFIG);
  expect(declarations.stdout).toContain("create_entities");
  expect(declarations.stdout).not.toContain("read_text_file");
});

test("calls of all three in one program, writes that last", async () => {
  const { pipe, path } = place();
  const { code, stdout, stderr } = await pipe(
    `const { content } = await tools.files.read_text_file({ path: "${path}/notes/a.txt" });
     const lines = content.trim().split("\\n");
     await tools.files.write_file({ path: "${path}/notes/b.txt", content: lines.toReversed().join("\\n") });
     await tools.memory.create_entities({ entities: lines.map((name) => ({ name, entityType: "line", observations: [] })) });
     const { entities } = await tools.memory.read_graph();
     const sum = await tools.everything["get-sum"]({ a: lines.length, b: 40 });
     const weather = await tools.everything["get-structured-content"]({ location: "Chicago" });
     return { entities: entities.map(({ name }) => name), sum, temperature: typeof weather.temperature };`,
    "run",
    "-",
    ...CONFIG,
  );
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    entities: ["first line", "second line"],
    sum: expect.stringContaining("42"),
    temperature: "number",
  });
  expect(readFileSync(join(path, "notes/b.txt"), "utf8")).toBe("second line\nfirst line");
});

test("an error of a server: caught in the program, and told if it is not", async () => {
  const { pipe } = place();
  const caught = await pipe(
    'try { await tools.files.read_text_file({ path: "/etc/passwd" }) } catch (error) { return error.message }',
    "run",
    "-",
    ...CONFIG,
  );
  expect(caught).toMatchObject({ code: 0, stdout: expect.stringContaining("Access denied") });
  const told = await pipe('await tools.files.read_text_file({ path: "/etc/passwd" })', "run", "-", ...CONFIG);
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining("Access denied") });
  const wrong = await pipe('await tools.files.read_text_file({ file: "x" })', "run", "-", ...CONFIG);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`needs field "path"`) });
});

test("an image as a handle, its content with --media", async () => {
  const { pipe } = place();
  const { code, stdout, stderr } = await pipe('return await tools.everything["get-tiny-image"]()', "run", "-", "--media", ".", ...CONFIG);
  expect(code).toBe(0);
  expect(stdout).toContain('"mimeType": "image/png"');
  expect(stderr).toMatch(/image\/png: .+\.png/);
});

test("a large result stays in the program: what comes out is small", async () => {
  const { write, pipe, path } = place();
  write("big.txt", "0123456789abcde\n".repeat(500_000));
  const { code, stdout } = await pipe(
    `const { content } = await tools.files.read_text_file({ path: "${path}/big.txt" }); return content.split("\\n").length`,
    "run",
    "-",
    ...CONFIG,
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: "500001\n" });
  const whole = await pipe(`return await tools.files.read_text_file({ path: "${path}/big.txt" })`, "run", "-", ...CONFIG);
  expect(whole).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("resultBytes") });
});
