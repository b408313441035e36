// A sieve over an array of booleans, and the area of the Mandelbrot set.
const limit = 2_000_000;
const composite = [false, false];
for (let i = 2; i <= limit; i++) composite.push(false);
for (let p = 2; p * p <= limit; p++) {
  if (composite[p]) continue;
  for (let q = p * p; q <= limit; q += p) composite[q] = true;
}
let primes = 0;
for (let i = 2; i <= limit; i++) {
  if (!composite[i]) primes++;
}

const size = 80;
let members = 0;
for (let row = 0; row < size; row++) {
  for (let column = 0; column < size; column++) {
    const re = (2 * column) / size - 1.5;
    const im = (2 * row) / size - 1;
    let x = 0;
    let y = 0;
    let turns = 0;
    while (turns < 100 && x * x + y * y <= 4) {
      const next = x * x - y * y + re;
      y = 2 * x * y + im;
      x = next;
      turns++;
    }
    if (turns === 100) members++;
  }
}
return { primes, members };
