import { serverCommand } from "@airlock/fixtures";
import { expect, test } from "vitest";
import { connect, eventually, firstLine, lives, runProgram, text } from "./bridge.js";

/** Connects to a server that has forked a child, prints both process ids, then does as told. */
const program = (then: string) => `
  import { connectServers } from "@airlock/mcp-bridge";
  import { serverCommand } from "@airlock/fixtures";
  const connections = await connectServers({ odd: serverCommand("odd", "--fork", "--stubborn") });
  const family = connections.tools.find(({ name }) => name === "family");
  const { content } = await family.execute({}, { signal: new AbortController().signal, path: "tools.odd.family", metadata() {} });
  console.log(content[0].text);
  setTimeout(() => {}, 60_000);
  ${then}
`;

async function family(line: string): Promise<number[]> {
  const { pid, child } = JSON.parse(line) as { pid: number; child: number };
  return [pid, child];
}

test("close ends a server that does not want to, and its child", async () => {
  const connections = await connect({ odd: serverCommand("odd", "--fork", "--stubborn") });
  const pids = await family(await text(connections, "odd.family"));
  expect(pids.every(lives)).toBe(true);
  await connections.close();
  await eventually(() => !pids.some(lives), 1_000);
});

test("the child of a server that dies by itself ends too", async () => {
  const connections = await connect({ odd: serverCommand("odd", "--fork") });
  const pids = await family(await text(connections, "odd.family"));
  process.kill(pids[0], "SIGKILL");
  await eventually(() => !pids.some(lives));
});

test.each([
  ["ends", "process.exit(0);"],
  ["throws", "setTimeout(() => { throw new Error('fault'); });"],
  ["rejects", "Promise.reject(new Error('fault'));"],
])("servers and their children end when our process %s", async (what, then) => {
  const pids = await family(await firstLine(runProgram(`process-${what}`, program(then))));
  await eventually(() => !pids.some(lives));
});

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
  "servers and their children end when our process gets %s",
  async (signal) => {
    const child = runProgram(`process-${signal}`, program(""));
    const pids = await family(await firstLine(child));
    const ended = new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
    child.kill(signal);
    expect(await ended).toBe(signal);
    await eventually(() => !pids.some(lives));
  },
);

test("a program that handles SIGINT itself keeps its servers", async () => {
  const child = runProgram("process-own-handler", program('process.on("SIGINT", () => console.log("handled"));'));
  const pids = await family(await firstLine(child));
  const handled = new Promise<string>((resolve) => child.stdout?.once("data", (chunk) => resolve(String(chunk))));
  child.kill("SIGINT");
  expect(await handled).toBe("handled\n");
  expect(pids.every(lives)).toBe(true);
  child.kill("SIGKILL");
  await eventually(() => !pids.some(lives));
});

test("once all is closed, our process ends by itself and leaves no listeners", async () => {
  const child = runProgram(
    "process-quiet",
    `
    import { connectServers } from "@airlock/mcp-bridge";
    import { serverCommand } from "@airlock/fixtures";
    const listeners = () => ["SIGINT", "SIGTERM", "SIGHUP", "exit"].map((event) => process.listenerCount(event)).join();
    const before = listeners();
    const connections = await connectServers({ chat: serverCommand("chat"), odd: serverCommand("odd", "--exit", "1") });
    await connections.close();
    console.log(listeners() === before);
  `,
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  expect(await firstLine(child)).toBe("true");
  expect(await ended).toBe(0);
});
