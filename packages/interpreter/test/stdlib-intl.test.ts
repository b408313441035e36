import { describe, expect, test } from "vitest";
import { hostValue, value } from "./program.js";

// Each program's answer is the host engine's own.
const SAME = [
  "return [new Intl.NumberFormat('en-US').format(1234567.891), new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(-5), new Intl.NumberFormat('en', { notation: 'compact' }).format(12345), new Intl.NumberFormat('en-IN').format(1e7), new Intl.NumberFormat('en', { style: 'unit', unit: 'liter', unitDisplay: 'long' }).format(16), new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format('1.5')]",
  "return [new Intl.NumberFormat('en-US').formatToParts(-1234.5), new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).formatRange(3, 5), new Intl.NumberFormat('en-US').format(12345678901234567890n)]",
  "const f = new Intl.NumberFormat('en-US').format; return [[1, 2.5].map(f), Intl.NumberFormat('en-US').format(1), new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }).resolvedOptions().maximumSignificantDigits]",
  "const d = Date.UTC(2024, 1, 29, 13, 5, 9); const o = { timeZone: 'UTC' }; return [new Intl.DateTimeFormat('en-US', o).format(d), new Intl.DateTimeFormat('en-GB', { ...o, dateStyle: 'full', timeStyle: 'long' }).format(d), new Intl.DateTimeFormat('ja-JP', { ...o, year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }).format(new Date(d)), new Intl.DateTimeFormat('en-US', { ...o, hour: 'numeric', hour12: false }).format(d), new Intl.DateTimeFormat('en-US', { ...o, timeZoneName: 'short', hour: '2-digit' }).formatToParts(d), new Intl.DateTimeFormat('en-US', o).formatRange(d, d + 864e5 * 3)]",
  "return [['z', 'a', 'ä', 'Z'].sort(new Intl.Collator('de').compare), ['a10', 'a2'].sort(new Intl.Collator('en', { numeric: true }).compare), new Intl.Collator('en', { sensitivity: 'base' }).compare('a', 'A')]",
  "const p = new Intl.PluralRules('en', { type: 'ordinal' }); return [[1, 2, 3, 4, 11, 21].map((n) => p.select(n)), new Intl.PluralRules('ar').select(6), new Intl.PluralRules('en').selectRange(1, 2)]",
  "return [new Intl.ListFormat('en', { type: 'disjunction' }).format(['a', 'b', 'c']), new Intl.ListFormat('de').format(new Set(['x', 'y'])), new Intl.ListFormat('en').formatToParts(['a', 'b'])]",
  "const r = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }); return [r.format(-1, 'day'), r.format(3, 'hours'), new Intl.RelativeTimeFormat('fr').format(-2, 'month'), r.formatToParts(10, 'day')]",
  "const s = new Intl.Segmenter('en', { granularity: 'word' }); const parts = s.segment('Hello, wörld 👩‍👩‍👧!'); return [[...parts].map((p) => [p.segment, p.index, p.isWordLike]), parts.containing(8).segment, [...new Intl.Segmenter('en').segment('e\\u0301👩‍👩‍👧')].length]",
  "return [Intl.getCanonicalLocales(['EN-us', 'zh-hans-cn']), Intl.supportedValuesOf('unit').length > 10, Intl.NumberFormat.supportedLocalesOf(['en', 'xx-YY', 'de']), Intl[Symbol.toStringTag], Object.prototype.toString.call(new Intl.Collator())]",
  "const out = []; for (const f of [() => new Intl.NumberFormat('x_y'), () => new Intl.NumberFormat('en', { style: 'currency' }), () => new Intl.DateTimeFormat('en', { timeZone: 'Mars/Base' }), () => new Intl.NumberFormat('en', { style: 'nope' }), () => new Intl.ListFormat('en').format([1]), () => Intl.PluralRules(), () => new Intl.DateTimeFormat('en').format(NaN), () => new Intl.RelativeTimeFormat('en').format(1, 'nope'), () => new Intl.NumberFormat('en', null), () => Intl.supportedValuesOf('x'), () => Intl.Collator.prototype.resolvedOptions.call({})]) try { f(); out.push('none') } catch (e) { out.push(e.name) } return out",
  "const log = []; const o = new Proxy({ style: 'percent' }, { get(t, k) { log.push(k); return t[k] } }); new Intl.NumberFormat('en', o); return log.slice(0, 8)",
];

describe("Intl", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

test("the default locale is en-US and the default zone the run's, whatever the host's are", async () => {
  expect(
    await value(
      "return [new Intl.NumberFormat().resolvedOptions().locale, new Intl.DateTimeFormat().resolvedOptions().timeZone, (1234.5).toLocaleString(), new Date(0).toLocaleString(), new Intl.NumberFormat('xx').resolvedOptions().locale, 'I'.toLocaleLowerCase()]",
      { timeZone: "Asia/Tokyo" },
    ),
  ).toEqual(["en-US", "Asia/Tokyo", "1,234.5", new Date(0).toLocaleString("en-US", { timeZone: "Asia/Tokyo" }), "en-US", "i"]);
});

test("long texts are segmented in pieces, as a whole", async () => {
  const code = `
    const text = Array.from({ length: 600 }, (_, i) => 'word' + i + ' 👩‍👩‍👧é, ' + 'x'.repeat(i % 40)).join('. ');
    return ['grapheme', 'word', 'sentence'].map((granularity) => {
      const s = new Intl.Segmenter('en', { granularity }).segment(text);
      let sum = 0; let n = 0; let at = 0;
      for (const { segment, index, input } of s) { if (index !== at || input !== text) throw new Error('gap'); at += segment.length; n++; sum = (sum * 31 + segment.length) % 1000003; if (n > 5000) break; }
      const c = s.containing(90000);
      return [n, sum, c.index, c.segment];
    });
  `;
  expect(await value(code.replaceAll("90000", "15000"))).toEqual(await hostValue(code.replaceAll("90000", "15000")));
}, 120_000);
