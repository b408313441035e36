// 5 MB of records from a tool, to JSON, back, and summed up.
const text = JSON.stringify(await tools.bench.records({}));
const groups = {};
for (const record of JSON.parse(text)) {
  if (!record.active) continue;
  const group = (groups[record.city] ??= { count: 0, balance: 0, tags: {} });
  group.count++;
  group.balance += record.balance;
  for (const tag of record.tags) group.tags[tag] = (group.tags[tag] || 0) + 1;
}
return Object.entries(groups)
  .map(([city, group]) => {
    const byUse = Object.entries(group.tags).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return { city, count: group.count, balance: Math.round(group.balance), tag: byUse[0][0] };
  })
  .sort((a, b) => (a.city < b.city ? -1 : 1));
