// Bytes, floats and views: checksums, a matrix product, a histogram, encoding by hand.
const bytes = new Uint8Array(300_000);
for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 8)) & 255;
const table = new Uint32Array(256);
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  table[n] = c;
}
let crc = 0xffffffff;
for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
const n = 60;
const a = new Float64Array(n * n).map((_, i) => (i % 7) - 3);
const b = new Float64Array(n * n).map((_, i) => (i % 5) * 0.5);
const c = new Float64Array(n * n);
for (let i = 0; i < n; i++) {
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
  }
}
const histogram = new Int32Array(256);
for (const byte of bytes) histogram[byte]++;
const view = new DataView(new ArrayBuffer(80_000));
for (let i = 0; i < 10_000; i++) view.setFloat64(i * 8, i / 3, true);
let read = 0;
for (let i = 0; i < 20_000; i++) read += view.getUint16(i * 4);
const head = bytes.subarray(10, 20).reduce((sum, byte) => sum + byte, 0);
const sorted = bytes.slice(0, 5_000).sort();
return { crc: (crc ^ 0xffffffff) >>> 0, corner: c[n * n - 1], trace: c.reduce((sum, value) => sum + value, 0), most: Math.max(...histogram), read, head, middle: sorted[2_500] };
