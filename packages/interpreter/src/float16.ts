// Half-precision numbers as their 16 bits (IEEE 754 binary16).

const scratch = new DataView(new ArrayBuffer(8));

function roundTiesToEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** The bits of the nearest half-precision number, ties to even. */
export function float16ToBits(x: number): number {
  if (x !== x) return 0x7e00;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const a = Math.abs(x);
  if (a >= 65520) return sign | 0x7c00;
  if (a < 2 ** -14) return sign | roundTiesToEven(a * 2 ** 24);
  scratch.setFloat64(0, a);
  const exponent = (scratch.getUint16(0) >>> 4) - 1023;
  // The significand is 1024 to 2048; 2048 carries into the exponent, as it must.
  return sign | (((exponent + 15) << 10) + roundTiesToEven(a * 2 ** (10 - exponent)) - 1024);
}

export function float16FromBits(bits: number): number {
  const sign = (bits & 0x8000) !== 0 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
