// Floating point in properties.
const planet = (x, y, z, vx, vy, vz, mass) => ({ x, y, z, vx, vy, vz, mass });
const planets = [
  planet(0, 0, 0, 0, 0, 0, 39.5),
  planet(4.8, -1.2, -0.1, 0.6, 2.8, -0.03, 0.038),
  planet(8.3, 4.1, -0.4, -1.0, 1.8, 0.01, 0.011),
  planet(12.9, -15.1, -0.2, 1.1, 0.9, -0.02, 0.0018),
  planet(15.4, -25.9, 0.2, 1.0, 0.6, -0.04, 0.0021),
];
function step(dt) {
  const count = planets.length;
  for (let i = 0; i < count; i++) {
    const a = planets[i];
    for (let j = i + 1; j < count; j++) {
      const b = planets[j];
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      const square = dx * dx + dy * dy + dz * dz;
      const pull = dt / (square * Math.sqrt(square));
      a.vx -= dx * b.mass * pull;
      a.vy -= dy * b.mass * pull;
      a.vz -= dz * b.mass * pull;
      b.vx += dx * a.mass * pull;
      b.vy += dy * a.mass * pull;
      b.vz += dz * a.mass * pull;
    }
  }
  for (let i = 0; i < count; i++) {
    const p = planets[i];
    p.x += dt * p.vx;
    p.y += dt * p.vy;
    p.z += dt * p.vz;
  }
}
for (let n = 0; n < 20_000; n++) step(0.001);
let energy = 0;
for (let i = 0; i < planets.length; i++) {
  const p = planets[i];
  energy += 0.5 * p.mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
}
return energy.toFixed(9);
