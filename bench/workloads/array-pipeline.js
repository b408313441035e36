// 200,000 records through map, filter, reduce, sort, some and every.
const orders = [];
for (let i = 0; i < 200_000; i++) {
  orders.push({ id: i, price: (i * 6007) % 9973, region: "r" + (i % 40), paid: i % 4 !== 0 });
}
const revenue = orders
  .filter((order) => order.paid && order.price > 900)
  .map((order) => ({ id: order.id, region: order.region, total: order.price * 3 + 2 }))
  .reduce((sum, order) => sum + order.total, 0);
const dearest = orders
  .filter((order) => order.paid)
  .sort((a, b) => b.price - a.price || a.id - b.id)
  .slice(0, 12)
  .map(({ id, price }) => ({ id, price }));
const complete = orders.every((order) => order.price < 9973) && orders.some((order) => order.region === "r39");
return { revenue, dearest, complete };
