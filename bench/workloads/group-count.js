// Counting by computed keys, and groups in a Map.
const perKey = {};
const perTeam = new Map();
for (let i = 0; i < 200_000; i++) {
  const row = { team: "team" + (i % 89), state: i % 6 === 0 ? "open" : "done", hours: (i * 17) % 500 };
  const key = `${row.team}/${row.state}`;
  perKey[key] = (perKey[key] || 0) + 1;
  const group = perTeam.get(row.team);
  if (group === undefined) {
    perTeam.set(row.team, { rows: 1, hours: row.hours, longest: row.hours });
  } else {
    group.rows += 1;
    group.hours += row.hours;
    group["longest"] = Math.max(group["longest"], row.hours);
  }
}
const summary = {};
for (const [team, group] of perTeam) {
  summary[team] = { ...group, open: perKey[team + "/open"] ?? 0, mean: group.hours / group.rows };
}
return { keys: Object.keys(perKey).length, first: summary.team0, last: summary.team88 };
