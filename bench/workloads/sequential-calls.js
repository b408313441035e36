// 20,000 tool calls, one after another.
let sum = 0;
for (let i = 0; i < 20_000; i++) {
  const answer = await tools.bench.ping({ i });
  if (answer.ok) sum += answer.value;
}
return sum;
