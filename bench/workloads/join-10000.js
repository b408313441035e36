// Two tables of 10,000 rows joined by an index, and the result grouped.
const customers = [];
const orders = [];
for (let i = 0; i < 10_000; i++) {
  customers.push({ id: "c" + i, name: "Customer " + i, country: "L" + (i % 25) });
  orders.push({ id: i, customer: "c" + ((i * 31) % 12_000), amount: (i * 13) % 700, items: [i % 5, i % 11] });
}
const byId = Object.fromEntries(customers.map((customer) => [customer.id, customer]));
const joined = orders.flatMap((order) => {
  const customer = byId[order.customer];
  return customer ? [{ ...order, name: customer.name, country: customer.country }] : [];
});
const byCountry = joined.reduce((groups, row) => {
  (groups[row.country] ??= []).push(row);
  return groups;
}, {});
const rows = Object.entries(byCountry)
  .map(([country, list]) => ({
    country,
    orders: list.length,
    amount: list.reduce((sum, row) => sum + row.amount, 0),
    names: new Set(list.map((row) => row.name)).size,
    items: list.flatMap((row) => row.items).filter((item) => item > 3).length,
  }))
  .sort((a, b) => b.amount - a.amount || a.country.localeCompare(b.country));
const missing = orders.filter((order) => !Object.hasOwn(byId, order.customer)).map((order) => order.id);
return { rows: rows.slice(0, 5), joined: joined.length, missing: missing.length };
