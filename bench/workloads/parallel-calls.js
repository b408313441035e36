// 5,000 tool calls at once.
const numbers = [];
for (let i = 0; i < 5_000; i++) numbers.push(i);
const answers = await Promise.all(numbers.map((i) => tools.bench.ping({ i })));
return answers.filter((answer) => answer.ok).reduce((sum, answer) => sum + answer.value * answer.id, 0);
