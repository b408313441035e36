// Tool calls: the tree, what crosses, failures, limits, order.

import { describe, expect, test } from "vitest";
import { run, type ToolCall, ToolError, type ToolFunction, type ToolTree } from "@airlock/interpreter";
import { failure, value, warnings } from "./program.js";

const echo: ToolFunction = async (input) => input;
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

describe("the tool tree", () => {
  const tools: ToolTree = { a: { one: echo, two: echo, constructor: echo }, "b-c": { "d e": echo, then: async () => "then" } };

  test("has own keys only, and is frozen", async () => {
    expect(
      await value(
        "return [Object.keys(tools), Object.keys(tools.a), 'a' in tools, 'zz' in tools, typeof tools.zz, typeof tools.a.toString, Object.isFrozen(tools.a), Object.getPrototypeOf(tools)]",
        { tools },
      ),
    ).toEqual([["a", "b-c"], ["one", "two", "constructor"], true, false, "undefined", "undefined", true, null]);
    expect(await value("try { tools.a.one = 1; return 'changed' } catch (e) { return e.name }", { tools })).toBe("TypeError");
    expect(await value("try { tools.x = 1; return 'changed' } catch (e) { return e.name }", { tools })).toBe("TypeError");
    expect(
      await value("const { one } = tools.a; const all = { ...tools['b-c'] }; return [typeof one, Object.keys(all)]", { tools }),
    ).toEqual(["function", ["d e", "then"]]);
  });

  test("tools are frozen functions with call, apply and bind", async () => {
    expect(
      await value(
        "const t = tools.a.one; return [typeof t, t.name, t.length, Object.isFrozen(t), await t.call(null, { n: 1 }), await t.apply(null, [{ n: 2 }, 9]), await t.bind(null, { n: 3 })()]",
        { tools },
      ),
    ).toEqual(["function", "one", 1, true, { n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await value("try { new tools.a.one({}) } catch (e) { return e.name }", { tools })).toBe("TypeError");
  });

  test("each tool is one function, however it is reached first", async () => {
    const tools = { a: { one: () => 1, two: () => 2, "10": () => 3 } };
    const first = [
      "Object.values(tools.a)[1]",
      "Object.entries(tools.a)[1][1]",
      "({ ...tools.a }).one",
      "Object.assign({}, tools.a).one",
      "Object.getOwnPropertyDescriptor(tools.a, 'one').value",
      "(() => { const { one } = tools.a; return one; })()",
      "(() => { const { two, ...rest } = tools.a; return rest.one; })()",
      "Reflect.get(tools.a, 'one')",
      "(() => { for (const key in tools.a) if (key === 'one') return tools.a[key]; })()",
      "new Proxy(tools, {}).a.one",
      "Object.create(tools.a).one",
      "tools.a['on' + 'e']",
    ];
    for (const how of first) {
      const program = `const f = ${how}; return [f === tools.a.one, f.name, tools.a === tools.a, Object.isFrozen(tools.a), Object.keys(tools.a), await f({})]`;
      expect(await value(program, { tools }), how).toEqual([true, "one", true, true, ["10", "one", "two"], 1]);
    }
  });

  test("is never a thenable", async () => {
    expect(await value("const t = await tools['b-c']; return [t === tools['b-c'], await tools['b-c'].then({})]", { tools })).toEqual([
      true,
      "then",
    ]);
    expect(await value("return (await Promise.all([tools, tools['b-c']]))[1] === tools['b-c']", { tools })).toBe(true);
  });

  test("names of any characters, also from Maps", async () => {
    const names = ["__proto__", "constructor", "then", "toString", "", "a.b", "0", "10", "é", "'"];
    const odd = new Map(names.map((name) => [name, async () => ({ name })])) as never;
    for (const name of names)
      expect(await value(`return (await tools.odd[${JSON.stringify(name)}]()).name`, { tools: { odd } })).toBe(name);
    expect(await value("return Object.keys(tools.odd).length", { tools: { odd } })).toBe(names.length);
  });

  test("aliases answer where the tree lacks the key, and are not listed", async () => {
    const tree: ToolTree = { "my-server": { "get-it": async () => "it", plain: async () => "plain" }, other: { x: async () => "x" } };
    const aliases = {
      "my-server.get_it": "my-server.get-it",
      "my-server.plain": "my-server.get-it",
      "my_server.get-it": "my-server.get-it",
      "my_server.get_it": "my-server.get-it",
      "other.y": "my-server.plain",
    };
    expect(
      await value(
        "return [await tools['my-server'].get_it(), await tools['my-server'].plain(), await tools.my_server.get_it(), await tools.my_server.plain(), await tools.other.y(), Object.keys(tools), Object.keys(tools.my_server), 'get_it' in tools.my_server, typeof tools.other.z]",
        { tools: tree, aliases },
      ),
    ).toEqual(["it", "plain", "it", "plain", "plain", ["my-server", "other"], ["get-it", "plain"], true, "undefined"]);
  });

  test("a tool that is not there: catchable, and else unknown-tool with what is", async () => {
    const tree: ToolTree = { github: { list_issues: echo, get_issue: echo }, calendar: { list_events: echo } };
    expect(await failure("await tools.github.listIssues({})", { tools: tree })).toMatchObject({
      kind: "unknown-tool",
      message: "There is no tool tools.github.listIssues; did you mean tools.github.list_issues?",
      hints: ["Tools of tools.github: list_issues, get_issue."],
      location: { line: 1 },
    });
    expect((await failure("await tools.github.list_events({})", { tools: tree })).message).toContain(
      "did you mean tools.calendar.list_events?",
    );
    expect((await failure("await tools.gitub.list_issues({})", { tools: tree })).message).toBe(
      "There is no tool tools.gitub; did you mean tools.github?",
    );
    expect((await failure("await tools['git-hub'].list_issues({})", { tools: tree })).kind).toBe("unknown-tool");
    expect((await failure('await tools.callTool("github.get_issue", {})', { tools: tree })).message).toContain(
      "did you mean tools.github.get_issue({ … })?",
    );
    expect((await failure("await tools.nope({})", { tools: tree })).hints).toEqual([
      "Tools are grouped by server: tools.<server>.<name>({ … }).",
      "Servers: github, calendar.",
    ]);
    expect((await failure("await tools.nope({})")).hints).toContain("There are no tools in this run.");
    expect(await value("try { await tools.github.nope() } catch (e) { return [e.name, e instanceof Error] }", { tools: tree })).toEqual([
      "UnknownToolError",
      true,
    ]);
    expect(await value("return [tools.linear?.list?.(), tools.github.nope?.()]", { tools: tree })).toEqual([null, null]);
  });
});

describe("tool functions of any manners", () => {
  test("a listener that throws keeps neither the time-out nor the end from coming", async () => {
    const heard: string[] = [];
    const rude: ToolFunction = (_input, call) => {
      call.onStop(() => {
        throw new Error("rude"); // told to the host as a warning
      });
      call.onStop(() => heard.push("other"));
      return sleep(200);
    };
    const tools: ToolTree = { a: { rude, echo } };
    expect(
      await value("try { await tools.a.rude({}) } catch (e) { return [e.name, await tools.a.echo(1)] }", { tools, limits: { toolMs: 20 } }),
    ).toEqual(["TimeoutError", 1]);
    expect((await failure("tools.a.rude({}).catch(() => {}); tools.a.rude({}); throw new Error('end')", { tools })).message).toContain(
      "end",
    );
    expect(heard).toEqual(["other", "other", "other"]);
  });

  test("a promise that cannot be followed is a failure of its call", async () => {
    const odd = Object.assign(Promise.resolve(1), { constructor: { [Symbol.species]: 5 } });
    expect(
      await value("try { await tools.a.odd({}) } catch (e) { return [e.name, await tools.a.echo(1)] }", {
        tools: { a: { odd: () => odd, echo } },
      }),
    ).toEqual(["TypeError", 1]);
  });
});

describe("a call", () => {
  test("gets {} without an argument, and one argument only", async () => {
    let argc = 0;
    const tools = {
      x: {
        f: function (this: unknown, ...args: unknown[]) {
          argc = args.length;
          return [args[0], this === undefined] as never;
        },
      },
    };
    expect(
      await value("return [await tools.x.f(), await tools.x.f(undefined), await tools.x.f(null), await tools.x.f(1, 2, 3)]", { tools }),
    ).toEqual([
      [{}, true],
      [{}, true],
      [null, true],
      [1, true],
    ]);
    expect(argc).toBe(2);
  });

  test("tells the tool path, place and signal", async () => {
    let seen: ToolCall | undefined;
    const tools = { "s-1": { f: (_: unknown, call: ToolCall) => void (seen = call) } } as unknown as ToolTree;
    await run('\n  await tools["s-1"].f()', { tools });
    expect(seen).toMatchObject({ path: 'tools["s-1"].f', location: { line: 2, column: 22 } });
    expect(typeof seen!.callId).toBe("string");
    expect(seen!.signal.aborted).toBe(false);
  });

  test("the input is a copy taken at the call", async () => {
    const got: unknown[] = [];
    const tools = { x: { f: (input: unknown) => void setTimeout(() => got.push(input), 1) } } as unknown as ToolTree;
    await value(
      "const o = { n: 1, list: [1] }; const p = tools.x.f(o); o.n = 2; o.list.push(2); await p; await new Promise((r) => setTimeout(r, 10)); return 1",
      { tools },
    );
    expect(got).toEqual([{ n: 1, list: [1] }]);
  });

  test("input that cannot cross rejects the call, with its path", async () => {
    const tools = { x: { f: echo } };
    expect(await failure("await tools.x.f({ a: [1, { cb() {} }] })", { tools })).toMatchObject({
      kind: "invalid-input",
      name: "InvalidInputError",
      message: "tools.x.f was not called, its input is wrong: input.a[1].cb is a function.",
    });
    expect((await failure("await tools.x.f({ p: tools.x.f() })", { tools })).hints[0]).toContain("await");
    expect(await value("const o = {}; o.o = o; return await tools.x.f(o).catch((e) => e.message)", { tools })).toContain(
      "input.o is a cycle",
    );
    expect(await value("const mark = {}; return await tools.x.f({ get a() { throw mark } }).catch((e) => e === mark)", { tools })).toBe(
      true,
    );
  });

  test("values, promises and thenables of tools are awaited", async () => {
    const thenable = { then: (done: (v: unknown) => void) => done("thenable") };
    const tools = {
      x: { value: () => 1, promise: async () => 2, thenable: () => thenable, nothing: () => undefined },
    } as unknown as ToolTree;
    expect(
      await value("return [await tools.x.value(), await tools.x.promise(), await tools.x.thenable(), await tools.x.nothing()]", { tools }),
    ).toEqual([1, 2, "thenable", null]);
  });

  test("an answer with `then` is data; a `then` that the program gives to all objects is asked", async () => {
    const tools: ToolTree = { a: { one: echo } };
    const twice = "const all = []; for (let i = 0; i < 3; i++) all.push(await tools.a.one({ then: i })); return all";
    expect(await value(twice, { tools })).toEqual([{ then: 0 }, { then: 1 }, { then: 2 }]);
    const late = `const before = await tools.a.one({ n: 1 });
      Object.prototype.then = function (done) { const { n } = this; delete Object.prototype.then; done(n + 10); };
      return [before, await tools.a.one({ n: 2 })]`;
    expect(await value(late, { tools })).toEqual([{ n: 1 }, 12]);
  });

  test("notes about one input are not told of the next one", async () => {
    const tools: ToolTree = { a: { one: echo } };
    const said = await warnings("await tools.a.one({ n: NaN }); await tools.a.one({ n: 1 }); await tools.a.one({ m: 1n }); return 1", {
      tools,
    });
    expect(said.filter((text) => text.includes("NaN"))).toHaveLength(1);
    expect(said.filter((text) => text.includes("BigInt"))).toHaveLength(1);
    expect(said).toHaveLength(2);
  });

  test("what a tool gives that cannot cross fails the call, catchably", async () => {
    const tools = { x: { f: async () => ({ a: [() => 1] }) } } as unknown as ToolTree;
    expect(await failure("await tools.x.f()", { tools })).toMatchObject({
      kind: "invalid-output",
      message: "tools.x.f gave a result that cannot cross: result.a[0] is a function. The call itself did run.",
    });
    const big = { x: { text: async () => "x".repeat(2000), list: async () => new Array(2000).fill(0) } };
    expect(
      await value("return [await tools.x.text().catch((e) => e.name), await tools.x.list().catch((e) => e.name)]", {
        tools: big,
        limits: { stringLength: 1000, arrayLength: 1000 },
      }),
    ).toEqual(["RangeError", "RangeError"]);
  });
});

describe("failing tools", () => {
  const fail: { [kind: string]: () => unknown } = {
    type: () => new TypeError("wrong type"),
    custom: () => Object.assign(new Error("m"), { name: "HttpError", code: "E1", secret: {}, cause: 1 }),
    text: () => "just text",
    nothing: () => undefined,
    getter: () => ({
      get message() {
        throw new Error("read");
      },
    }),
    proxy: () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("trap");
          },
          getPrototypeOf: () => {
            throw new Error("trap");
          },
        },
      ),
    tool: () =>
      new ToolError("denied by rule", { name: "DeniedError", diagnostic: { kind: "denied", hints: ["Ask for it."] }, data: { rule: "x" } }),
  };
  const tools = {
    x: {
      sync: ({ kind }: { kind: string }) => {
        throw fail[kind]();
      },
      later: async ({ kind }: { kind: string }) => {
        await sleep(0);
        throw fail[kind]();
      },
    },
  } as unknown as ToolTree;

  test.each(["sync", "later"])("%s: only name and message cross", async (how) => {
    const got = (kind: string): Promise<unknown> =>
      value(
        `try { await tools.x.${how}({ kind: "${kind}" }) } catch (e) { return [e instanceof Error, e.name, e.message, Object.keys(e), e.code === undefined, e.cause === undefined] }`,
        { tools },
      );
    expect(await got("type")).toEqual([true, "TypeError", "wrong type", [], true, true]);
    expect(await got("custom")).toEqual([true, "HttpError", "m", [], true, true]);
    expect(await got("text")).toEqual([true, "Error", "just text", [], true, true]);
    for (const kind of ["nothing", "getter", "proxy"])
      expect(await got(kind)).toEqual([true, "Error", `tools.x.${how} failed without a message`, [], true, true]);
  });

  test("uncaught, they are tool-failed at the place of the call", async () => {
    expect(await failure('const a = 1;\nawait tools.x.later({ kind: "type" })', { tools })).toMatchObject({
      kind: "tool-failed",
      name: "TypeError",
      message: "wrong type",
      location: { line: 2, column: 15 },
    });
  });

  test("a ToolError brings its own diagnostic and data", async () => {
    expect(await failure('await tools.x.later({ kind: "tool" })', { tools })).toMatchObject({
      kind: "denied",
      name: "DeniedError",
      message: "denied by rule",
      hints: ["Ask for it."],
    });
    expect(await value('return await tools.x.sync({ kind: "tool" }).catch((e) => [e.name, e.data])', { tools })).toEqual([
      "DeniedError",
      { rule: "x" },
    ]);
  });

  test("a fatal ToolError ends the run, and no catch sees it", async () => {
    const end = {
      x: {
        f: async () => {
          throw new ToolError("A person said no.", { diagnostic: { kind: "rejected" }, fatal: true });
        },
      },
    };
    expect(await failure("try { await tools.x.f() } catch { return 1 } finally { console.log('no') }", { tools: end })).toMatchObject({
      kind: "rejected",
      message: "A person said no.",
      location: { line: 1 },
    });
    expect(await failure("tools.x.f(); return 1", { tools: end })).toMatchObject({ kind: "rejected" });
  });
});

describe("limits of calls", () => {
  test("toolCalls ends the run, refused calls count too", async () => {
    const tools = { x: { f: echo } };
    expect(await failure("for (;;) await tools.x.f({})", { tools, limits: { toolCalls: 5 } })).toMatchObject({
      kind: "limit",
      limit: "toolCalls",
    });
    expect(await failure("for (;;) await tools.x.f(() => 1).catch(() => 0)", { tools, limits: { toolCalls: 5 } })).toMatchObject({
      limit: "toolCalls",
    });
  });

  test("concurrentCalls lets more wait in order", async () => {
    let now = 0;
    let most = 0;
    const order: number[] = [];
    const tools = {
      x: {
        f: async ({ n }: { n: number }) => {
          order.push(n);
          most = Math.max(most, ++now);
          await sleep(5);
          now--;
          return n;
        },
      },
    } as unknown as ToolTree;
    expect(
      await value("return await Promise.all([...Array(10).keys()].map((n) => tools.x.f({ n })))", {
        tools,
        limits: { concurrentCalls: 3 },
      }),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(3);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("no call overtakes one that waits, not even one that is made as another settles", async () => {
    const order: number[] = [];
    const tools = { x: { f: async ({ n }: { n: number }) => void order.push(n) } } as unknown as ToolTree;
    await value(
      `const calls = [1, 2, 3].map((n) => tools.x.f({ n }));
       calls[0].then(() => calls.push(tools.x.f({ n: 4 })));
       await calls[0];
       await null;
       return (await Promise.all(calls)).length`,
      { tools, limits: { concurrentCalls: 1 } },
    );
    expect(order).toEqual([1, 2, 3, 4]);
  });

  test("toolMs fails that call alone, aborts its signal, and what comes later is ignored", async () => {
    let aborted: unknown;
    const tools = {
      x: {
        slow: (_: unknown, { signal }: ToolCall) => {
          signal.addEventListener("abort", () => (aborted = signal.reason));
          return sleep(60);
        },
        quick: echo,
      },
    } as unknown as ToolTree;
    expect(
      await value(
        "const e = await tools.x.slow().catch((e) => e); await new Promise((r) => setTimeout(r, 80)); return [e.name, e.message, await tools.x.quick({ n: 1 })]",
        { tools, limits: { toolMs: 20 } },
      ),
    ).toEqual(["TimeoutError", "tools.x.slow did not answer within 20 ms (limit toolMs).", { n: 1 }]);
    expect(aborted).toBeInstanceOf(ToolError);
    expect(await failure("await tools.x.slow()", { tools, limits: { toolMs: 20 } })).toMatchObject({
      kind: "limit",
      limit: "toolMs",
      location: { line: 1 },
    });
  });

  test("toolMs counts from the call's start, progress restarts it, pauses stop it", async () => {
    const tools = {
      x: {
        wait: () => sleep(40),
        progress: async (_: unknown, call: ToolCall) => {
          for (let i = 0; i < 4; i++) {
            await sleep(25);
            call.progress();
          }
        },
        person: async (_: unknown, call: ToolCall) => {
          const resume = call.pauseClocks();
          await sleep(150);
          resume();
          resume();
          return "answered";
        },
      },
    } as unknown as ToolTree;
    expect(
      await value("await Promise.all([1, 2, 3].map(() => tools.x.wait())); return 1", {
        tools,
        limits: { toolMs: 100, concurrentCalls: 1 },
      }),
    ).toBe(1);
    expect(await value("await tools.x.progress(); return 1", { tools, limits: { toolMs: 60 } })).toBe(1);
    expect(await value("return await tools.x.person()", { tools, limits: { toolMs: 60, wallMs: 60 } })).toBe("answered");
  });

  test("what a call that has ended still does with its clock touches no later one", async () => {
    const ended: ToolCall[] = [];
    const resumes: (() => void)[] = [];
    const tools = {
      x: {
        first: async (_: unknown, call: ToolCall) => {
          ended.push(call);
          resumes.push(call.pauseClocks());
          return call.callId;
        },
        next: (_: unknown, call: ToolCall) => {
          for (const before of ended) {
            before.progress();
            before.pauseClocks();
          }
          for (const resume of resumes) resume();
          return call.callId === "call_2" ? sleep(20) : new Promise(() => {});
        },
      },
    } as unknown as ToolTree;
    const started = performance.now();
    expect(
      await value("await tools.x.first(); await tools.x.next(); return await tools.x.next().catch((e) => e.name)", {
        tools,
        limits: { toolMs: 60, concurrentCalls: 1 },
      }),
    ).toBe("TimeoutError");
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("the answer to a call that took too long goes to no later one", async () => {
    const answers: ((answer: unknown) => void)[] = [];
    const tools = {
      x: {
        slow: () => new Promise((answer) => answers.push(answer)),
        next: async ({ n }: { n: number }) => {
          for (const answer of answers) answer("late");
          await sleep(5);
          return n;
        },
      },
    } as unknown as ToolTree;
    expect(
      await value(
        `const names = await Promise.all([1, 2, 3].map(() => tools.x.slow().catch((e) => e.name)));
         return [...names, ...await Promise.all([4, 5, 6, 7].map((n) => tools.x.next({ n })))]`,
        { tools, limits: { toolMs: 30, concurrentCalls: 3 } },
      ),
    ).toEqual(["TimeoutError", "TimeoutError", "TimeoutError", 4, 5, 6, 7]);
  });

  test("calls that settle in one turn are told in order of arrival, each with all that follows from it", async () => {
    const answers: (() => void)[] = [];
    const tools = {
      x: {
        f: ({ n }: { n: number }) => new Promise((answer) => answers.push(() => answer(n))),
        go: async () => {
          await sleep(1);
          for (const answer of answers.reverse()) answer();
        },
      },
    } as unknown as ToolTree;
    expect(
      await value(
        `const seen = [];
         const calls = Array.from({ length: 40 }, async (_, n) => {
           seen.push(await tools.x.f({ n }));
           for (let i = 0; i < 30; i++) await null;
           seen.push("then " + n);
         });
         await Promise.all([...calls, tools.x.go()]);
         return seen`,
        { tools, limits: { concurrentCalls: 100 } },
      ),
    ).toEqual(Array.from({ length: 40 }, (_, i) => [39 - i, `then ${39 - i}`]).flat());
  });

  test("an abort reaches the calls that run, and no tool function is called after it", async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const stops: string[] = [];
    const calls: ToolCall[] = [];
    const tools = {
      x: {
        f: ({ n }: { n: number }, call: ToolCall) => {
          calls.push(call);
          if (n % 2 === 0) signals.push(call.signal);
          else for (const which of ["a", "b"]) call.onStop((reason) => stops.push(`${n}${which} ${String(reason)}`));
          return n < 3 ? sleep(5) : new Promise(() => {});
        },
      },
    } as unknown as ToolTree;
    setTimeout(() => controller.abort(), 50);
    const outcome = await run("await Promise.all(Array.from({ length: 50 }, (_, n) => tools.x.f({ n })))", {
      tools,
      signal: controller.signal,
      limits: { concurrentCalls: 4 },
    });
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "aborted" } });
    await sleep(20);
    expect(calls.length).toBe(7);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true, true]);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, false, false, true, true, true, true]);
    const why = "Error: The run that made this call has ended.";
    expect(stops).toEqual([`3a ${why}`, `3b ${why}`, `5a ${why}`, `5b ${why}`]);
    for (const call of calls) call.onStop(() => stops.push(call.callId));
    expect(stops.slice(4)).toEqual(["call_4", "call_5", "call_6", "call_7"]);
  });

  test("many calls from deep inside the program are made all the same", async () => {
    const tools = { x: { f: echo } };
    expect(
      await value("const f = (n) => n === 0 ? tools.x.f({ deep: true }) : f(n - 1); return await f(900)", {
        tools,
        limits: { callDepth: 1000 },
      }),
    ).toEqual({ deep: true });
  });
});

describe("calls without await", () => {
  test("are awaited after the value, each with a warning that names it", async () => {
    const done: string[] = [];
    const tools = {
      x: {
        slow: async () => (await sleep(20), void done.push("slow")),
        bad: async () => (await sleep(5), Promise.reject(new Error("oops"))),
      },
    } as unknown as ToolTree;
    const outcome = await run("tools.x.slow();\ntools.x.bad();\nreturn 'value'", { tools });
    expect(outcome).toMatchObject({ status: "completed", value: "value" });
    expect(done).toEqual(["slow"]);
    expect(outcome.warnings.map((w) => [w.kind, w.message, w.location?.line])).toEqual([
      ["uncaught", "tools.x.bad failed, and nothing awaited it: Error: oops", 2],
      ["uncaught", "tools.x.slow was called without await, and the program ended before it answered. The run waited for it.", 1],
    ]);
    expect(outcome.warnings[0].hints[0]).toContain("await");
  });

  test("a failed one that the program outlived is a warning", async () => {
    const tools = { x: { bad: async () => Promise.reject(new Error("oops")) } } as unknown as ToolTree;
    expect(await warnings("tools.x.bad(); await new Promise((r) => setTimeout(r, 5)); return 1", { tools })).toEqual([
      "tools.x.bad failed, and nothing awaited it: Error: oops",
    ]);
    expect(
      await warnings("const p = tools.x.bad(); await new Promise((r) => setTimeout(r, 5)); await p.catch(() => 0); return 1", { tools }),
    ).toEqual([]);
  });

  test("limits hold for them, and the value stays", async () => {
    const tools = { x: { never: () => new Promise(() => {}) } } as unknown as ToolTree;
    const outcome = await run("tools.x.never(); return 1", { tools, limits: { wallMs: 40 } });
    expect(outcome).toMatchObject({ status: "completed", value: 1 });
    expect(outcome.warnings.map((w) => w.message).join(" ")).toContain("whether it took effect is unknown");
    const late = await run("tools.x.never(); return 1", { tools, limits: { toolMs: 30 } });
    expect(late).toMatchObject({ status: "completed", value: 1 });
    expect(late.warnings[0].message).toContain("toolMs");
  });

  test("thousands that wait and answer at once need no depth of the host's stack", async () => {
    const tools = { x: { slow: () => sleep(5), at_once: (i) => i } } as ToolTree;
    const outcome = await run("tools.x.slow(); for (let i = 0; i < 20000; i++) tools.x.at_once(i); return 1", {
      tools,
      limits: { concurrentCalls: 1, toolCalls: 30_000, wallMs: 30_000 },
    });
    expect(outcome).toMatchObject({ status: "completed", value: 1, stats: { toolCalls: 20_001 } });
    expect(outcome.warnings.map((w) => w.message).join(" ")).not.toContain("whether it took effect is unknown");
  });

  test("rejections that nobody saw are warnings with their place", async () => {
    expect(
      (await run("Promise.reject(new Error('lost'));\n(async () => { throw 7 })();\nawait null; return 1")).warnings.map((w) => [
        w.message,
        w.location?.line,
      ]),
    ).toEqual([
      ["A promise was rejected and nothing handled it: Error: lost", 1],
      ["A promise was rejected and nothing handled it: 7", 2],
    ]);
  });
});
