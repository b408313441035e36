// An interpreter that fails in the ways that isolation has to bear. The program says how.
import { run as real } from "@airlock/interpreter";

export async function run(source, options) {
  if (source.includes("STUCK")) for (;;);
  if (source.includes("MEMORY")) {
    const hoard = [];
    for (;;) hoard.push(Array.from({ length: 100_000 }, () => hoard.length));
  }
  if (source.includes("EXIT")) process.exit(7);
  if (source.includes("CRASH")) {
    setTimeout(() => {
      throw new Error("broken inside");
    });
    return new Promise(() => {});
  }
  if (source.includes("REJECT")) throw new Error("the interpreter has a fault");
  return real(source, options);
}
