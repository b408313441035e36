// The bytes of a buffer source (Web IDL): an ArrayBuffer, a typed array or a DataView.

import { isArrayBuffer } from "../src/buffer.js";
import { isTypedArray, typedLength } from "../src/typed-array-exotic.js";
import { Kind, type Value } from "../src/values.js";

/** A host view of the bytes, live; undefined for what is no buffer source. Empty for a detached one. */
export function bytesOf(v: Value): Uint8Array | undefined {
  if (isArrayBuffer(v)) return new Uint8Array(v.d.bytes, 0, v.d.length);
  if (isTypedArray(v))
    return v.d.data.detached ? new Uint8Array(0) : new Uint8Array(v.d.data.bytes, v.d.offset, typedLength(v.d) * v.d.size);
  if (typeof v === "object" && v !== null && v.kind === Kind.DATA_VIEW) {
    const d = v.d as { data: { detached: boolean; bytes: ArrayBuffer }; offset: number; length(): number };
    const n = d.length();
    return n < 0 ? new Uint8Array(0) : new Uint8Array(d.data.bytes, d.offset, n);
  }
  return undefined;
}
