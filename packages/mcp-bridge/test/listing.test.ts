import { expect, test } from "vitest";
import { LISTING_LIMITS, listTools } from "../dist/src/listing.js";

const list = (pages: unknown[]) => listTools(async (cursor) => pages[cursor === undefined ? 0 : Number(cursor)], LISTING_LIMITS);
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

test.each([
  ["nothing", null],
  ["a text", "tools"],
  ["tools that are no list", { tools: { a: 1 } }],
  ["no tools", {}],
])("an answer that is %s is an empty list with a warning", async (_, page) => {
  expect(await list([page])).toEqual({ definitions: [], warnings: ["page 1 of the tool list has no list of tools"] });
});

test("a cursor that comes again ends the list", async () => {
  const { definitions, warnings } = await list([
    { tools: [tool("a")], nextCursor: "1" },
    { tools: [tool("b")], nextCursor: "1" },
  ]);
  expect(definitions.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(warnings).toEqual(["the tool list repeats a page: it is cut there"]);
});

test("a page that fails costs itself and the later ones; the first one is the whole list", async () => {
  const failing = (at: number) =>
    listTools(async (cursor) => {
      if (Number(cursor ?? 0) === at) throw new Error("gone");
      return { tools: [tool("a")], nextCursor: String(Number(cursor ?? 0) + 1) };
    }, LISTING_LIMITS);
  expect((await failing(1)).warnings).toEqual(["page 2 of the tool list failed (gone): later tools are missing"]);
  await expect(failing(0)).rejects.toThrow("gone");
});

test("warnings are bounded", async () => {
  const { warnings } = await list([{ tools: Array.from({ length: 10_000 }, () => ({})) }]);
  expect(warnings).toHaveLength(51);
  expect(warnings.at(-1)).toBe("9950 more entries of the tool list are odd");
});

test("a schema that is nested too deep to be written costs its tool", async () => {
  let schema: object = {};
  for (let level = 0; level < 50_000; level++) schema = { properties: schema };
  expect(await list([{ tools: [tool("deep", { inputSchema: schema }), tool("flat")] }])).toMatchObject({
    definitions: [{ name: "flat" }],
    warnings: ['the schema of "deep" is nested too deep: left out'],
  });
});

test("annotations keep only hints of the right type; the title comes from either place", async () => {
  const { definitions } = await list([
    { tools: [tool("a", { annotations: { title: "A", readOnlyHint: "yes", destructiveHint: false, other: 1 } })] },
  ]);
  expect(definitions[0]).toMatchObject({ title: "A", annotations: { title: "A", destructiveHint: false } });
  expect(definitions[0].annotations).not.toHaveProperty("readOnlyHint");
});
