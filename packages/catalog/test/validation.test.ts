import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createCatalog } from "../dist/src/index.js";
import { anything, checkIn, checkInput, message, tool } from "./helpers.js";

const ISSUES = {
  type: "object",
  properties: {
    repo: { type: "string" },
    state: { type: "string", enum: ["open", "closed", "all"] },
    labels: { type: "array", items: { type: "string" } },
    cursor: { type: "string" },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    since: { type: "string", format: "date-time" },
    slug: { type: "string", pattern: "^[a-z]+$" },
    to: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    filter: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "age" }, days: { type: "number" } },
          required: ["kind", "days"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { const: "author" }, login: { type: "string" } },
          required: ["kind", "login"],
          additionalProperties: false,
        },
      ],
    },
    tags: { type: "array", uniqueItems: true },
    owner: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  },
  required: ["repo"],
  additionalProperties: false,
};

describe("messages name the tool, the field, what was wanted and what was got", () => {
  test.each([
    [{ repo: "a", state: "merged" }, 's.t field "state" should be one of "open", "closed", "all"; got "merged"'],
    [{ repo: "a", labels: "bug" }, 's.t field "labels" should be an array of strings; got a string'],
    [{ repo: "a", cursor: null }, 's.t field "cursor" should be a string or be left out; got null'],
    [{ repo: null }, 's.t field "repo" should be a string; got null'],
    [{}, 's.t needs field "repo" (a string)'],
    [
      { repository: "a", limit: 3 },
      's.t has no field "repository"; it has "repo", "state", "labels", "cursor", "limit", "since", "slug", "to", "filter", "tags", "owner". It also needs field "repo" (a string)',
    ],
    [{ repo: "a", lable: [] }, 's.t has no field "lable"; did you mean "labels"?'],
    [5, "s.t input should be an object; got 5"],
    [{ repo: "a", limit: 0 }, 's.t field "limit" should be at least 1; got 0'],
    [{ repo: "a", limit: 1.5 }, 's.t field "limit" should be an integer; got 1.5'],
    [{ repo: "a", since: "soon" }, 's.t field "since" should be a valid date-time such as 2025-01-31T12:00:00Z; got "soon"'],
    [{ repo: "a", slug: "A\u202e1" }, 's.t field "slug" should match the pattern "^[a-z]+$"; got "A\\u202e1"'],
    [{ repo: "a", to: 1 }, 's.t field "to" should be a string or an array of strings; got a number'],
    [{ repo: "a", to: ["x", 1] }, 's.t field "to[1]" should be a string; got 1'],
    [{ repo: "a", filter: { kind: "age", days: "9" } }, 's.t field "filter.days" should be a number; got a string'],
    [{ repo: "a", filter: { kind: "autor" } }, 's.t field "filter.kind" should be one of "age", "author"; got "autor"'],
    [{ repo: "a", filter: { kind: "age", days: 1, x: 1 } }, 's.t field "filter" has no field "x"; it has "kind", "days"'],
    [
      {
        repo: "a",
        tags: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      's.t field "tags" should have no item twice; got an array',
    ],
    [{ repo: "a", owner: {} }, 's.t field "owner" needs field "name" (a string)'],
    [
      { repo: 1, state: 2, cursor: 3, limit: "4", slug: 5, since: 6 },
      expect.stringMatching(/^s\.t field "repo" should be a string; got 1\. Its field "state" .*\. There are 1 more such errors$/),
    ],
  ])("%j", async (input, wanted) => {
    expect(await message(ISSUES, input)).toEqual(wanted);
  });

  test("they are bounded, whatever the schema and the value", async () => {
    const schema = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`${"f".repeat(300)}${i}`, { enum: Array.from({ length: 10 }, () => "v".repeat(1_000)) }]),
      ),
      additionalProperties: false,
    };
    const wrong = Object.fromEntries(Object.keys(schema.properties).map((key) => [key, "w".repeat(10_000)]));
    for (const input of [wrong, { ["x".repeat(100_000)]: 1 }]) expect((await message(schema, input)).length).toBeLessThanOrEqual(1_500);
  });

  test("errors keep their place and keyword", async () => {
    const result = await checkInput(ISSUES, { repo: "a", labels: [1] });
    expect(result).toMatchObject({ ok: false, errors: [{ instancePath: "/labels/0", keyword: "type" }] });
  });

  test("a tool may explain by itself", async () => {
    expect(await checkInput(ISSUES, {}, { explainInvalid: (errors) => `own: ${errors[0].keyword}` })).toMatchObject({
      message: "own: required",
    });
    const broken = {
      explainInvalid: (): string => {
        throw new Error("x");
      },
    };
    expect(await checkInput(ISSUES, {}, broken)).toMatchObject({ message: 's.t needs field "repo" (a string)' });
  });

  test("outputs", async () => {
    const catalog = createCatalog([tool("s.t", anything, { outputSchema: ISSUES })]);
    expect(await catalog.validateOutput(catalog.registrations[0], "text")).toMatchObject({
      ok: false,
      message: "The result of s.t should be an object; got a string",
    });
    expect(await catalog.validateOutput(catalog.registrations[0], { repo: "a" })).toEqual({ ok: true, value: { repo: "a" } });
  });
});

const ok = async (schema: unknown, ...values: Parameters<typeof checkInput>[1][]): Promise<boolean[]> =>
  Promise.all(values.map(async (value) => (await checkInput(schema, value)).ok));

const pattern = (text: string): object => ({ type: "object", properties: { a: { type: "string", pattern: text } } });
const format = (name: string): object => ({ type: "object", properties: { a: { type: "string", format: name } } });

describe("what is valid", () => {
  test("drafts old and new", async () => {
    expect(
      await ok(
        { type: "object", properties: { a: { items: [{ type: "string" }], additionalItems: false } } },
        { a: ["x"] },
        { a: ["x", 1] },
        { a: [1] },
      ),
    ).toEqual([true, false, false]);
    expect(await ok({ type: "object", properties: { a: { minimum: 1, exclusiveMinimum: true } } }, { a: 1 }, { a: 2 })).toEqual([
      false,
      true,
    ]);
    expect(
      await ok({ type: "object", dependencies: { a: ["b"], c: { required: ["d"] } } }, { a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }),
    ).toEqual([false, true, false, true]);
    expect(
      await ok({ type: "object", properties: { a: { prefixItems: [{ type: "string" }], items: false } } }, { a: ["x"] }, { a: ["x", 1] }),
    ).toEqual([true, false]);
    expect(
      await ok({ type: "object", properties: { a: { type: "string", nullable: true, enum: ["x"] } } }, { a: null }, { a: "x" }, { a: "y" }),
    ).toEqual([true, true, false]);
    expect(await ok({ type: "object", properties: { a: { multipleOf: 0.01 } } }, { a: 0.07 }, { a: 0.075 })).toEqual([true, false]);
  });

  test("names of the prototype chain are names like others", async () => {
    const proto = JSON.parse('{"__proto__":1}');
    expect(await ok({ type: "object", required: ["constructor"] }, {}, { constructor: 1 })).toEqual([false, true]);
    expect(await ok({ type: "object", required: ["__proto__"] }, {}, proto)).toEqual([false, true]);
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}');
    expect(await ok(schema, proto, JSON.parse('{"__proto__":"x"}'), { a: 1 }, {})).toEqual([false, true, false, true]);
    expect(Object.hasOwn({}, "polluted")).toBe(false);
  });

  test("patterns run on our engine, in Unicode mode where they can", async () => {
    expect(await ok(pattern("^.$"), { a: "😀" }, { a: "ab" })).toEqual([true, false]);
    expect(await ok(pattern("^[\\w\\-]+$"), { a: "a-b" }, { a: "a b" })).toEqual([true, false]);
    expect(await ok(pattern("^a$|^b$"), { a: "a" }, { a: "b" }, { a: "c" })).toEqual([true, true, false]);
    expect(
      await ok(
        { type: "object", properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } },
        { a: "a", b: "b" },
        { a: "b" },
        { b: "a" },
      ),
    ).toEqual([true, false, false]);
    expect(await ok(pattern("(?P<python>x)"), { a: "anything" })).toEqual([true]);
  });

  test("an unknown format is not checked, a long text neither", async () => {
    expect(await ok(format("color"), { a: "x" })).toEqual([true]);
    expect(await ok(format("uuid"), { a: "x" })).toEqual([false]);
    const before = process.cpuUsage();
    for (const name of ["url", "uri", "uri-template", "email", "hostname", "date-time", "ipv6", "regex"]) {
      for (const part of [":", "a", "a.", "http://a", "%", "-", "(", "{a"])
        await checkInput(format(name), { a: `http://${part.repeat(1_000)}` });
      await checkInput(format(name), { a: `http://${":".repeat(1_000_000)}` });
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
  });
});

describe("Standard Schemas", () => {
  test("the decoded value reaches the tool", async () => {
    const schema = z.object({ at: z.iso.datetime().transform((text) => new Date(text)), n: z.number().default(3) });
    expect(await checkInput(schema, { at: "2025-01-01T00:00:00Z" })).toEqual({
      ok: true,
      value: { at: new Date("2025-01-01T00:00:00Z"), n: 3 },
    });
    expect(await checkInput(schema, { at: 1 })).toMatchObject({
      ok: false,
      errors: [{ instancePath: "/at", keyword: "" }],
      message: expect.stringMatching(/^s\.t field "at": Invalid input/),
    });
  });

  test("one that throws fails the check, not the catalog", async () => {
    const schema = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: () => {
          throw new Error("broken\nhere");
        },
      },
    };
    expect(await checkInput(schema, {})).toMatchObject({ ok: false, message: "s.t can't be checked: its schema failed (broken\\nhere)" });
  });

  test("a JSON text can't pretend to be one", async () => {
    const schema = JSON.parse('{"type":"object","required":["a"],"~standard":{"version":1,"vendor":"x","validate":"no"}}');
    expect(await checkInput(schema, {})).toMatchObject({ ok: false });
  });
});

const sameId = (type: string): object => ({
  $id: "http://same.test/x",
  type: "object",
  properties: { a: { $ref: "#/$defs/t" } },
  $defs: { t: { $id: "http://same.test/t", type } },
});

test("each schema is compiled apart: the same $id twice disturbs nothing", async () => {
  const catalog = createCatalog([tool("s.a", sameId("string")), tool("s.b", sameId("number"))]);
  const check = async (name: string, a: string | number): Promise<boolean> =>
    (await catalog.validateInput(catalog.get("s", name) ?? catalog.registrations[0], { a })).ok;
  expect([await check("a", "x"), await check("b", 1), await check("a", 1), await check("b", "x")]).toEqual([true, true, false, false]);
  expect((await checkIn(catalog, { a: "x" })).ok).toBe(true);
});
