// 5,000 frames, twenty times.
function depth(n) {
  if (n === 0) return 0;
  return 1 + depth(n - 1);
}
let total = 0;
for (let i = 0; i < 20; i++) total += depth(5_000);
return total;
