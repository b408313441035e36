import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

const SAME = [
  "return [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array].map((T) => [T.name, T.BYTES_PER_ELEMENT, ...new T([1.5, -1, 300, NaN, '7', null])].join())",
  "return [...new BigInt64Array([1n, -1n, 2n ** 63n])].map(String).concat([...new BigUint64Array([-1n])].map(String))",
  "const b = new ArrayBuffer(8); const f = new Float64Array(b); const u = new Uint8Array(b); f[0] = 1; return [...u]",
  "const u = new Uint8Array([5, 3, 9, 1]); return [[...u.sort()], [...u.toSorted((a, b) => b - a)], [...u.slice(1, 3)], [...u.subarray(-2)], [...u.map((x) => x * 100)], u.filter((x) => x > 3).length, u.indexOf(9), u.includes(3), u.join('-')]",
  "const f = new Float64Array([3, NaN, -0, 0, -1]); return [...f.sort()].map((x) => (Object.is(x, -0) ? '-0' : String(x)))",
  "const u = new Uint8Array(4); u.set([1, 2], 1); u.set(new Uint16Array([300, 4]), 2); u.fill(9, 0, 1); return [...u, ...u.reverse(), ...u.copyWithin(0, 2)]",
  "const u = new Uint8Array(2); u[5] = 1; u.x = 2; u['-0'] = 3; return [Object.keys(u), u[5] ?? null, '5' in u, u['1.5'] ?? null, delete u.x]",
  "const u = new Uint8Array(8); u.set(u.subarray(0, 4), 2); return [u.buffer.byteLength, u.subarray(2).byteOffset, ArrayBuffer.isView(u), Object.prototype.toString.call(u)]",
  "const d = new DataView(new ArrayBuffer(16), 2); d.setInt16(0, -2); d.setFloat32(4, 1.5, true); d.setBigUint64(6, 5n); return [d.getUint16(0), d.getUint16(0, true), d.getInt8(1), d.getFloat32(4, true), String(d.getBigUint64(6)), d.byteLength]",
  "try { new DataView(new ArrayBuffer(2)).getInt32(0); } catch (e) { return [e.name, e.message]; }",
  "try { new Uint16Array(new ArrayBuffer(3)); } catch (e) { return e.name; }",
  "try { new Uint8Array(-1); } catch (e) { return e.name; }",
  "const b = new ArrayBuffer(4); return [b.slice(1, 3).byteLength, b.slice(-1).byteLength, [...Uint8Array.from({ length: 3 }, (_, i) => i * i)], [...Uint8Array.of(1, 2)]]",
  "class U extends Uint8Array {} const u = new U(2); return [u.map((x) => x) instanceof U, u.slice() instanceof U, u.toSorted() instanceof U]",
  "const u = new Uint8Array([1, 2, 3]); return [u.reduce((a, b) => a + b), u.every((x) => x), u.find((x) => x > 1), u.findLastIndex((x) => x < 3), u.at(-1), [...u.entries()], [...u.with(0, 9)], u.toString()]",
  "try { Object.freeze(new Uint8Array(1)); } catch (e) { return e.name; }",
  "const b = new ArrayBuffer(4, { maxByteLength: 8 }); const u = new Uint8Array(b); u[3] = 7; b.resize(8); const grown = [u.length, u[3]]; b.resize(2); const shrunk = u.length; b.resize(8); return [grown, shrunk, u[3], b.resizable, b.maxByteLength]",
];

describe("bytes as the host's", () => {
  test.each(SAME)("%s", async (code) => {
    expect(await value(code)).toEqual(await hostValue(code));
  });
});

const EXPECTED: [string, unknown][] = [
  [
    "const b = new ArrayBuffer(4); const u = new Uint8Array(b); u[0] = 9; const c = b.transfer(6); return [b.detached, b.byteLength, u.length, u[0] ?? null, c.byteLength, new Uint8Array(c)[0]]",
    [true, 0, 0, null, 6, 9],
  ],
  [
    "const b = new Uint8Array([1, 2, 3]).buffer.transferToImmutable(); const u = new Uint8Array(b); let e; try { u[0] = 5; } catch (x) { e = x.name; } try { u.fill(1); } catch (x) { e += x.name; } return [b.immutable, [...u], e, b.sliceToImmutable(1).byteLength]",
    [true, [1, 2, 3], "TypeErrorTypeError", 2],
  ],
  [
    "return [...new Float16Array([1, 1.1, 65519, 65520, 6e-8, 2 ** -25, -0, NaN, 1e-5])].map((x) => (Object.is(x, -0) ? '-0' : String(x)))",
    ["1", "1.099609375", "65504", "Infinity", "5.960464477539063e-8", "0", "-0", "NaN", "0.000010013580322265625"],
  ],
  [
    "const d = new DataView(new ArrayBuffer(2)); d.setFloat16(0, 1.5); return [d.getUint16(0).toString(16), d.getFloat16(0)]",
    ["3e00", 1.5],
  ],
  [
    "const u = Uint8Array.fromBase64('SGk_', { alphabet: 'base64url' }); const h = Uint8Array.fromHex('00ff10'); return [[...u], u.toBase64(), [...h], h.toHex(), u.toBase64({ alphabet: 'base64url', omitPadding: true })]",
    [[72, 105, 63], "SGk/", [0, 255, 16], "00ff10", "SGk_"],
  ],
  ["const u = new Uint8Array(3); const r = u.setFromBase64('AQIDBA=='); return [r, [...u]]", [{ read: 4, written: 3 }, [1, 2, 3]]],
  ["try { Uint8Array.fromHex('0g'); } catch (e) { return e.name; }", "SyntaxError"],
];

describe("newer than the host", () => {
  test.each(EXPECTED)("%s", async (code, expected) => {
    expect(await value(code)).toEqual(expected);
  });
});

test("half-precision bits round as the specification says", async () => {
  // Every number of 16 bits comes back from its own value.
  expect(
    await value(
      "const bits = new Uint16Array(65536).map((_, i) => i); const f = new Float16Array(bits.buffer); const back = new Float16Array(Array.from(f)); const again = new Uint16Array(back.buffer); let bad = 0; for (let i = 0; i < 65536; i++) if (again[i] !== bits[i] && f[i] === f[i]) bad++; return bad",
    ),
  ).toBe(0);
});

test("buffers count as memory", async () => {
  expect((await failure("const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))", { limits: { memoryBytes: 30_000_000 } })).limit).toBe(
    "memoryBytes",
  );
  expect(await value("try { new ArrayBuffer(2 ** 40); } catch (e) { return e.name; }")).toBe("RangeError");
});
