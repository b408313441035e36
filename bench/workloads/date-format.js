// Dates parsed, moved, compared and written.
const start = Date.UTC(2023, 0, 1);
const pad = (n, width = 2) => String(n).padStart(width, "0");
let text = 0;
const perMonth = {};
for (let i = 0; i < 20_000; i++) {
  const date = new Date(start + i * 3_600_000);
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  text += day.length + date.toISOString().length;
  const month = day.slice(0, 7);
  perMonth[month] = (perMonth[month] ?? 0) + 1;
}
let span = 0;
for (let i = 0; i < 10_000; i++) {
  const from = new Date(`2024-0${(i % 9) + 1}-1${i % 10}T08:30:00Z`);
  const to = new Date(from);
  to.setUTCDate(to.getUTCDate() + (i % 40));
  to.setUTCMonth(to.getUTCMonth() + 1);
  span += (to - from) / 86_400_000;
  if (to > from) text++;
}
let parsed = 0;
for (let i = 0; i < 10_000; i++) parsed += Date.parse("2025-06-15T12:00:0" + (i % 10) + ".250+02:00") % 1000;
return { text, months: Object.keys(perMonth).length, january: perMonth["2024-01"], span: Math.round(span), parsed, json: JSON.stringify(new Date(start)) };
