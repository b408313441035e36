import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

// Event and EventTarget are no globals; they are reached as programs could.
const EVENTS =
  "const EventTarget = Object.getPrototypeOf(AbortSignal); let Event; { const c = new AbortController(); c.signal.addEventListener('abort', (e) => { Event = e.constructor; }); c.abort(); } ";

// Each program's answer is the host engine's own.
const SAME = [
  // URI and Base64
  "return [encodeURIComponent('a b&c=d/é€😀'), encodeURI('http://x/ö?q=a b#h'), decodeURIComponent('%F0%9F%98%80%20'), decodeURI('%2F%C3%A9'), escape('ü€ a'), unescape('%FC%u20AC%20')]",
  "const out = []; for (const f of [() => encodeURIComponent('\\ud800'), () => decodeURIComponent('%'), () => decodeURI('%C3')]) try { f() } catch (e) { out.push(e.name, e.message) } return out",
  "return [btoa('hello'), atob('aGVsbG8='), atob(' aGVs bG8 '), btoa('')]",
  "const out = []; for (const f of [() => btoa('€'), () => atob('a')]) try { f() } catch (e) { out.push(e.name, e.code, e instanceof DOMException, e instanceof Error) } return out",
  // Encoders
  "const b = new TextEncoder().encode('aé€😀\\ud800'); return [[...b], b.constructor.name, new TextDecoder().decode(b), new TextEncoder().encoding]",
  "const t = new Uint8Array(5); return [new TextEncoder().encodeInto('a€😀', t), [...t]]",
  "return [new TextDecoder('utf-16le').decode(new Uint8Array([97, 0, 172, 32])), new TextDecoder('latin1').decode(new Uint8Array([233, 128])), new TextDecoder('latin1').encoding, new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 97])), new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 97])).length]",
  "const d = new TextDecoder(); return [d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }), d.decode(new Uint8Array([0xac]), { stream: true }), d.decode()]",
  "const out = []; for (const f of [() => new TextDecoder('nope'), () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])), () => new TextDecoder().decode(5), () => TextEncoder()]) try { f(); out.push('none') } catch (e) { out.push(e.name) } return out",
  "return new TextDecoder().decode(new DataView(new Uint8Array([1, 97, 98, 2]).buffer, 1, 2))",
  // URL
  "const u = new URL('https://user:pa%20ss@Example.com:8080/a/../b?x=1&y=2&x=3#frag'); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, String(u), JSON.stringify({ u })]",
  "const u = new URL('/p?a=1', 'https://h.example/x'); u.searchParams.append('b', 'ü &'); u.searchParams.delete('a'); const s = u.href; u.search = '?z=9'; return [s, u.searchParams.get('z'), u.searchParams === u.searchParams, u.searchParams.size]",
  "const u = new URL('https://a.b/c'); u.hash = 'x'; u.port = '81'; u.host = 'c.d:5'; u.pathname = 'q r'; u.protocol = 'http'; u.username = 'me'; u.password = 'p'; u.hostname = 'e.f'; u.href; const h = u.href; u.href = 'ftp://z/'; return [h, u.href]",
  "const out = [URL.canParse('nope'), URL.canParse('a', 'https://x')]; try { new URL('nope') } catch (e) { out.push(e.name, e.code, e.input) } return out",
  "const p = new URLSearchParams('?a=1&b=2&a=3&c'); p.set('b', 'x y'); p.append('d', '&='); const out = [p.toString(), p.get('a'), p.getAll('a'), p.has('c'), p.has('a', '9'), p.get('none'), [...p], [...p.keys()], [...p.values()].length, p.size]; p.delete('a', '1'); p.sort(); out.push(String(p)); p.forEach((v, k, all) => out.push(v, k, all === p)); return out",
  "return [new URLSearchParams({ a: 1, b: 'x' }), new URLSearchParams([['a', '1'], ['a', '2']]), new URLSearchParams(new Map([['k', 'v']])), new URLSearchParams(new URLSearchParams('z=1')), new URLSearchParams()].map(String)",
  "const p = new URLSearchParams('a=1&b=2&c=3'); const seen = []; for (const [k] of p) { seen.push(k); if (k === 'a') p.delete('b') } return seen",
  "const out = []; for (const f of [() => new URLSearchParams([['a']]), () => new URLSearchParams('').get(), () => URL('x'), () => new URL(), () => URL.prototype.href]) try { f(); out.push('none') } catch (e) { out.push(e.name) } return out",
  "return Object.fromEntries(new URLSearchParams('a=1&b=2'))",
  // Events and abort
  EVENTS +
    "const log = []; const t = new EventTarget(); const f = (e) => log.push(['f', e.type, e.target === t, e.eventPhase]); t.addEventListener('a', f); t.addEventListener('a', f); t.addEventListener('a', { handleEvent(e) { log.push(['h', this === e.target]) } }); t.addEventListener('a', () => log.push('once'), { once: true }); const e = new Event('a', { cancelable: true }); log.push(t.dispatchEvent(e)); t.removeEventListener('a', f); log.push(t.dispatchEvent(e)); return log",
  EVENTS +
    "const t = new EventTarget(); const log = []; t.addEventListener('a', (e) => { e.preventDefault(); e.stopImmediatePropagation(); log.push(e.defaultPrevented) }); t.addEventListener('a', () => log.push('no')); return [t.dispatchEvent(new Event('a', { cancelable: true })), t.dispatchEvent(new Event('a')), log]",
  EVENTS +
    "class T extends EventTarget { fire() { return this.dispatchEvent(new Event('x')) } } const t = new T(); let n = 0; t.addEventListener('x', () => n++); t.fire(); return [n, t instanceof EventTarget]",
  "const c = new AbortController(); const log = []; c.signal.onabort = (e) => log.push('on', e.type); c.signal.addEventListener('abort', () => log.push('l')); c.abort(); c.abort('again'); return [log, c.signal.aborted, c.signal.reason.name, c.signal.reason.code, c.signal.reason instanceof DOMException]",
  "const c = new AbortController(); c.abort('why'); try { c.signal.throwIfAborted() } catch (e) { return [e, AbortSignal.abort(5).reason, AbortSignal.abort().aborted] }",
  "const a = new AbortController(); const b = new AbortController(); const any = AbortSignal.any([a.signal, AbortSignal.any([b.signal])]); const log = []; any.addEventListener('abort', () => log.push(any.reason)); b.abort('B'); a.abort('A'); return [log, any.aborted, AbortSignal.any([]).aborted, AbortSignal.any([AbortSignal.abort(1)]).reason]",
  "const s = AbortSignal.timeout(1); await new Promise((r) => s.addEventListener('abort', r)); return [s.reason.name, s.aborted]",
  EVENTS +
    "const c = new AbortController(); const t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++, { signal: c.signal }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x')); return n",
  EVENTS +
    "const out = []; for (const f of [() => new AbortSignal(), () => new Event(), () => new EventTarget().dispatchEvent({}), () => AbortSignal.any([1])]) try { f(); out.push('none') } catch (e) { out.push(e.name) } return out",
  "const e = new DOMException('m', 'AbortError'); return [e.name, e.message, e.code, String(e), DOMException.ABORT_ERR, e.DATA_CLONE_ERR, new DOMException().name, Object.keys(e)]",
  // structuredClone
  "const o = { a: [1, , { b: new Date(0) }], m: new Map([[{ k: 1 }, new Set([1])]]), r: /x/gi, u: undefined, n: null, big: 1n < 2n, s: Object('str') }; o.self = o; const c = structuredClone(o); return [c !== o, c.self === c, c.a.length, 1 in c.a, c.a[2].b instanceof Date, [...c.m.keys()][0].k, c.r.source + c.r.flags, 'u' in c, typeof c.s]",
  "class P { x = 1; get y() { return 2 } } const c = structuredClone(new P()); return [c, c instanceof P, Object.getPrototypeOf(c) === Object.prototype]",
  "const e = new RangeError('bad', { cause: { a: 1 } }); e.extra = 1; const c = structuredClone(e); return [c.name, c.message, c instanceof RangeError, c.cause, c.extra, typeof c.stack]",
  "const b = new Uint8Array([1, 2, 3]).buffer; const v = new Uint16Array(b, 0, 1); const c = structuredClone({ v, b }); return [c.v.length, c.v.buffer === c.b, [...new Uint8Array(c.b)], b.byteLength]",
  "const b = new ArrayBuffer(8); const c = structuredClone(b, { transfer: [b] }); return [b.byteLength, c.byteLength]",
  "const d = structuredClone(new DataView(new ArrayBuffer(4), 1, 2)); return [d.byteLength, d.byteOffset]",
  "const out = []; for (const v of [() => 1, Symbol('s'), { f() {} }, [new WeakMap()], Promise.resolve()]) try { structuredClone(v); out.push('none') } catch (e) { out.push(e.name, e.code) } return out",
  "const s = { a: 1 }; const c = structuredClone([s, s]); return c[0] === c[1]",
  "const b = new ArrayBuffer(8); const out = []; for (const t of [[b, b], [1]]) try { structuredClone(1, { transfer: t }); out.push('none') } catch (e) { out.push(e.name) } return out",
  "try { structuredClone() } catch (e) { return e.name }",
];

describe("the web's globals", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

test("crypto", async () => {
  expect(
    await value(
      "const id = crypto.randomUUID(); return [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), id !== crypto.randomUUID(), typeof crypto.subtle, crypto instanceof Crypto]",
    ),
  ).toEqual([true, true, "undefined", true]);
  expect(
    await value(
      "const out = []; for (const f of [() => crypto.getRandomValues(new Float64Array(1)), () => crypto.getRandomValues(new Uint8Array(65537)), () => crypto.getRandomValues([1]), () => new Crypto()]) try { f(); out.push('none') } catch (e) { out.push(e.name) } return out",
    ),
  ).toEqual(["TypeMismatchError", "QuotaExceededError", "TypeMismatchError", "TypeError"]);
});

test("a text that is encoded in pieces is encoded as a whole", async () => {
  const code =
    "const s = 'a' + '😀'.repeat(100_000) + '€é'; return encodeURIComponent(s) === 'a' + '%F0%9F%98%80'.repeat(100_000) + '%E2%82%AC%C3%A9'";
  expect(await value(code, { limits: { stringLength: 1_500_000 } })).toBe(true);
});

test("URL.parse", async () => {
  expect(await value("return [URL.parse('nope'), URL.parse('a', 'https://x/').href]")).toEqual([null, "https://x/a"]);
});

test("what comes back is ours: no host object is reachable", async () => {
  expect(
    await value(`
      const seen = [];
      for (const v of [new URL('https://a'), new URLSearchParams('a=1').entries(), new TextEncoder().encode('a'), new AbortController().signal, structuredClone(new Map()), new Intl.NumberFormat(), new DOMException(), crypto, JSON.parse('[]'), 'a'.match(/a/), new Date(), 'a'.split('')]) {
        for (let o = v; o !== null; o = Object.getPrototypeOf(o)) for (const k of Reflect.ownKeys(o)) { const d = Object.getOwnPropertyDescriptor(o, k); for (const f of [d.value, d.get, d.set]) if (typeof f === 'function' && !(f instanceof Function)) seen.push(String(k)); }
      }
      return seen;
    `),
  ).toEqual([]);
});

test("work on long texts is counted", async () => {
  for (const code of [
    "const s = 'é'.repeat(1e5); for (;;) encodeURIComponent(s)",
    "const s = 'a'.repeat(1e5); for (;;) btoa(s)",
    "const s = 'http://x/' + 'a'.repeat(1e5); for (;;) new URL(s)",
    "const m = new Map(Array.from({ length: 1000 }, (_, i) => [i, i])); for (;;) structuredClone(m)",
    "const s = 'a'.repeat(1e5); const e = new TextEncoder(); for (;;) e.encode(s)",
  ]) {
    expect((await failure(code, { limits: { steps: 200_000 } })).limit).toBe("steps");
  }
});
