// A small program without calls.
const prices = [12.5, 3, 8.25, 40];
const total = prices.map((price) => price * 1.2).reduce((sum, price) => sum + price, 0);
return { total: Math.round(total * 100) / 100, count: prices.length };
