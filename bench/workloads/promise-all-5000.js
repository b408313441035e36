// 5,000 async functions of the program's own at once, and a chain of 20,000 awaits.
const wait = async (value) => value;
async function work(i) {
  const a = await wait(i);
  const b = await wait(a + 1);
  return { i, sum: a + b };
}
const jobs = [];
for (let i = 0; i < 5_000; i++) jobs.push(work(i));
const done = await Promise.all(jobs);
const settled = await Promise.allSettled(done.map(async ({ i }) => {
  if (i % 10 === 0) throw new Error("ten");
  return i;
}));
let chain = 0;
for (let i = 0; i < 20_000; i++) chain += await wait(i & 1);
const first = await Promise.race(done.slice(0, 100).map(({ i }) => Promise.resolve(i)));
const sum = await done.reduce((before, { sum: value }) => before.then((total) => total + value), Promise.resolve(0));
return { count: done.length, rejected: settled.filter(({ status }) => status === "rejected").length, chain, first, sum };
