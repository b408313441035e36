// What the documents of the repository say: their commands and examples, run as they stand there.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { checkConfig } from "../bin/dist/src/config/check.js";
import { parseConfigSource } from "../bin/dist/src/config/source.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const readme = read("README.md");
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text]) => text);
const scripts = (JSON.parse(read("package.json")) as { scripts: { [name: string]: string } }).scripts;

test("two commands do everything, and they are scripts", () => {
  const [commands] = blocks("sh");
  expect(commands.trim().split("\n")).toEqual(["npx -y pnpm@10.34.9 demo", "npx -y pnpm@10.34.9 test"]);
  for (const name of ["demo", "test"]) expect(scripts[name]).toMatch(/^pnpm run build && /);
  expect(read(".ci/run")).toContain("npx -y pnpm@10.34.9 test\n");
});

test("every script that the documents name is there", () => {
  const named = ["README.md", "CONTRIBUTING.md"].flatMap((file) =>
    [...read(file).matchAll(/npx -y pnpm@10\.34\.9 (\w[\w:]*)/g)].map(([, name]) => name),
  );
  expect(named.filter((name) => !["install", "exec"].includes(name) && scripts[name] === undefined)).toEqual([]);
});

test("the command line's examples print what the page says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "airlock-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "bugs.js"), blocks("js")[0]);
  writeFileSync(join(folder, "airlock.jsonc"), blocks("jsonc")[0].replace("fixtures/dist", join(root, "fixtures/dist")));
  const [session] = blocks("console");
  const commands = session.split(/^\$ /m).slice(1);
  expect(commands).toHaveLength(4);
  const env = { ...process.env, AIRLOCK_CONFIG_DIR: join(folder, "c"), AIRLOCK_DATA_DIR: join(folder, "d"), NO_COLOR: "1" };
  for (const command of commands) {
    const [line, ...printed] = command.split("\n");
    const shell = `airlock() { "${process.execPath}" "${join(root, "bin/dist/src/main.js")}" "$@"; }\n${line}`;
    const { stdout } = await promisify(execFile)("sh", ["-c", shell], { cwd: folder, env });
    expect(stdout, line).toBe(printed.join("\n"));
  }
}, 120_000);

test("the configurations are ones", async () => {
  expect(blocks("jsonc")).toHaveLength(2);
  for (const text of blocks("jsonc")) await checkConfig(parseConfigSource("README.md", text));
});

test("the library's example prints what the page says", async () => {
  const [, example] = blocks("js");
  const [printed] = blocks("text");
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", example], { cwd: join(root, "bin") });
  expect((await run).stdout).toBe(printed);
}, 60_000);

test("every command has its line in the README", () => {
  const commands = readdirSync(join(root, "bin/src/commands")).map((name) => name.replace(".ts", ""));
  expect(commands.filter((name) => !readme.includes(`| \`airlock ${name}`))).toEqual([]);
});

test("what the documents name is there", () => {
  for (const file of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]) {
    const text = read(file);
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target);
    const paths = [...text.matchAll(/`((?:packages|bin|fixtures|test|\.ci)\/[\w./-]+)`/g)].map(([, path]) => path);
    expect(
      [...links, ...paths].filter((path) => !existsSync(join(root, path))),
      file,
    ).toEqual([]);
  }
  const house = read("ARCHITECTURE.md");
  for (const name of readdirSync(join(root, "packages"))) expect(house).toContain(`  ${name}/`);
});
