import { expect, test } from "vitest";
import { createProvider, type ModelOptions } from "../dist/src/index.js";

const named = (spec: string, options: ModelOptions = {}): [string, string] => {
  const { name, model } = createProvider(spec, { env: {}, ...options });
  return [name, model];
};
const refused = (spec: string, options?: ModelOptions): string => {
  try {
    return `made ${named(spec, options).join("/")}`;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

test("a provider and its model; the model's name may hold slashes and colons", () => {
  expect(named("anthropic/claude-x", { env: { ANTHROPIC_API_KEY: "k" } })).toEqual(["anthropic", "claude-x"]);
  expect(named("openai/gpt-x", { apiKey: "k" })).toEqual(["openai", "gpt-x"]);
  expect(named("local/org/qwen:7b", { baseUrl: "http://127.0.0.1:1/v1" })).toEqual(["local", "org/qwen:7b"]);
  expect(named("local/m", { env: { AIRLOCK_LOCAL_BASE_URL: "http://127.0.0.1:1/v1" } })).toEqual(["local", "m"]);
});

test("what is missing is named", () => {
  expect(refused("anthropic/claude-x")).toContain("set ANTHROPIC_API_KEY");
  expect(refused("anthropic/claude-x", { env: { ANTHROPIC_API_KEY: "  " } })).toContain("set ANTHROPIC_API_KEY");
  expect(refused("openai/gpt-x", { env: { ANTHROPIC_API_KEY: "k" } })).toContain("set OPENAI_API_KEY");
  expect(refused("local/m")).toContain("set AIRLOCK_LOCAL_BASE_URL");
});

test("what is no model says how one is named", () => {
  for (const spec of ["gpt-x", "", "/x", "openai/"]) expect(refused(spec)).toContain("PROVIDER/MODEL");
  expect(refused("toString/x")).toContain('no provider "toString": anthropic, openai, local, scripted');
  expect(refused("local/m", { baseUrl: "file:///etc/passwd" })).toContain("not an http(s) URL");
  expect(refused("scripted/nowhere.json")).toContain("can't be read");
});
