// Exceptions thrown, caught, rethrown and passed by in loops.
class NotFound extends Error {
  constructor(key) {
    super("no " + key);
    this.name = "NotFound";
    this.key = key;
  }
}
const table = { a: 1, b: 2, c: 3 };
function look(key) {
  if (!(key in table)) throw new NotFound(key);
  return table[key];
}
function guarded(key) {
  try {
    return look(key);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return -1;
  } finally {
    cleaned++;
  }
}
let cleaned = 0;
let sum = 0;
const keys = ["a", "b", "c", "d", "a", "e"];
for (let i = 0; i < 60_000; i++) sum += guarded(keys[i % keys.length]);
let types = 0;
for (let i = 0; i < 20_000; i++) {
  try {
    const missing = i % 2 === 0 ? undefined : { name: "x" };
    sum += missing.name.length;
  } catch (error) {
    if (error instanceof TypeError) types++;
  }
}
let quiet = 0;
for (let i = 0; i < 300_000; i++) {
  try {
    quiet += i & 3;
  } catch {
    quiet = -1;
  }
}
return { sum, cleaned, types, quiet };
