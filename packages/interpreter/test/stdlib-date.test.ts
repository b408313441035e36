import { describe, expect, test } from "vitest";
import { hostValue, value } from "./program.js";

// Each program's answer is the host engine's own; none depends on the zone.
const SAME = [
  "return [Date.UTC(2024, 1, 29), Date.UTC(99, 0), Date.UTC(2024), String(Date.UTC()), Date.UTC(2024, 13, -1, 25, 61, 61, 1001)]",
  "const d = new Date(Date.UTC(2024, 1, 29, 12, 34, 56, 789)); return [d.toISOString(), d.toJSON(), d.toUTCString(), d.toGMTString === d.toUTCString, d.getUTCDay(), d.getUTCMonth(), +d, d.valueOf() === d.getTime()]",
  "const d = new Date(0); return [d.setUTCMonth(13), d.setUTCHours(30, 1), d.setUTCFullYear(2020, 1, 30), d.setUTCDate(0), d.setUTCMinutes(-1), d.setUTCSeconds(75), d.setUTCMilliseconds(-1), d.setTime(5.9), String(d.setTime(NaN))]",
  "return [new Date(8.64e15).toISOString(), String(new Date(8.64e15 + 1).getTime()), new Date(-1e15).toISOString(), new Date(-62198755200000).toUTCString(), new Date('+275760-09-13').toISOString()]",
  "const d = new Date(NaN); return [String(d), d.toJSON(), String(d.getTime()), String(d.setUTCDate(1)), d.setUTCFullYear(2020), d.toISOString()]",
  "try { new Date(NaN).toISOString() } catch (e) { return [e.name, e.message] }",
  "const log = []; const n = (v) => ({ valueOf() { log.push(v); return v } }); const d = new Date(0); d.setUTCFullYear(n(2020), n(1), n(3)); return [log, d.toISOString()]",
  "const d = new Date(5); return [new Date(d).getTime(), d + 1 === String(d) + '1', d - 1, d[Symbol.toPrimitive]('number'), typeof d[Symbol.toPrimitive]('default'), typeof Date(), Date.length]",
  "return ['2025', '2025-03', '2025-03-14', '2025-03-14T09:30Z', '2025-03-14T09:30:15.1234567Z', '2025-03-14T09:30:00+05:30', '-000001-01-01T00:00:00Z', '-000000-01-01T00:00:00Z', '2025-13-01', '2025-03-14T24:00:00Z', '2025-03-14T24:00:01Z', '2025-03-14T25:00Z', 'hello', '', 'Fri, 14 Mar 2025 10:00:00 GMT', '14 March 2025 10:00 GMT+0100', 'Mar 14 2025 10:00 EST', '2025-03-14 10:00:00Z', '2025-03-14 10:00:00 +0200', 'Sat, 01-Jan-2000 00:00:00 GMT', '1 January 2000 00:00:00 UTC', 'Thu Jan 01 1970 01:00:00 GMT+0100 (CET)', 'Mon, 25 Dec 1995 13:30:00 GMT+0430'].map((s) => String(Date.parse(s)))",
  "return [new Date(2024, 0) instanceof Date, Object.prototype.toString.call(new Date()), new Date(2020, 0, 1, 12).getHours(), new Date(99, 5).getFullYear(), new Date(2020, 5).getYear()]",
  "const d = new Date(Date.UTC(2024, 6, 4, 15)); return [d.toLocaleDateString('en-US', { timeZone: 'UTC' }), d.toLocaleString('de-DE', { timeZone: 'Europe/Berlin', dateStyle: 'full', timeStyle: 'short' }), d.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' }), d.toLocaleDateString('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' })]",
  "try { new Date().toLocaleTimeString('en', { dateStyle: 'short' }) } catch (e) { return e.name }",
];

describe("Date", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

const written = [
  "Mar 14, 2025 09:30",
  "2025-03-14 09:30",
  "2025-03-14T09:30",
  "2025/03/14 09:30",
  "3/14/2025 9:30 AM",
  "14 Mar 2025 09:30",
  "Friday, March 14, 2025 9:30 AM",
  "2025-3-14 9:30",
];

// In any zone: what V8 takes, with its quirks, and what it refuses.
const QUIRKS = [
  "2025-03-14T09:30:15.1-05:30",
  "2025-03-14T09:30:15.12+23:59",
  "2024-02-31T10:00:00.250Z",
  "0001-01-01T00:00:00Z",
  "2025-03-14T09:30:15.+01:00",
  "2025-03-14T09:30:15",
  "2025-03-14",
  "2025-3-14Z",
  "12",
  "32",
  "49",
  "50",
  "foo 1",
  "foo1",
  "1 foo",
  "March 14th, 2025",
  "March 14, 2025 at 9:30",
  "1/2/03",
  "2025-02-31",
  "2025-13-01",
  "2025-03-14T24:00Z",
  "2025-03-14T24:01Z",
  "2025-03-14T10:00:00 Z",
  " 2025-03-14 ",
  "Jan 1 2025 13:00 PM",
  "Jan 1 2025 12:00 AM GMT-8",
  "Jan 1 2025 (a (b) c) 10:00 UTC+05:30",
  "Thu, 01 Jan 1970 00:00:00 GMT+0200",
  "10:00",
  "+012025-01-01T00:00Z",
  "-000000-01-01T00:00Z",
  "2025-01-01T00:00:00.1239Z",
  "2025-01-01T00:00:00,123Z",
  "1 Jan 2025 10:00:00.5 UTC",
  "1.-30",
  "1 2 3 4",
  "2025\u0000x",
];

test.each(QUIRKS)("Date.parse of %j is V8's", async (text) => {
  const code = `return new Date(input + (${/[TZ:]|GMT|^2025-03-14$/.test(text)} ? "" : " UTC")).getTime()`;
  expect(await value(code, { globals: { input: text } })).toEqual(await hostValue(code.replace("input", JSON.stringify(text))));
});

describe("local time is the run's zone, never the host's", () => {
  test.each(written)("%s", async (text) => {
    expect(await value("return new Date(input).toISOString()", { globals: { input: text }, timeZone: "America/New_York" })).toBe(
      "2025-03-14T13:30:00.000Z",
    );
    expect(await value("return new Date(input).toISOString()", { globals: { input: text } })).toBe("2025-03-14T09:30:00.000Z");
  });

  test("gaps and overlaps of daylight saving", async () => {
    const code = `
      const at = (...a) => { const d = new Date(...a); return [d.toISOString(), d.getHours(), d.getTimezoneOffset()] };
      return [at(2025, 2, 9, 1, 59), at(2025, 2, 9, 2, 30), at(2025, 2, 9, 3), at(2025, 10, 2, 0, 59), at(2025, 10, 2, 1, 30), at(2025, 10, 2, 2)];
    `;
    expect(await value(code, { timeZone: "America/New_York" })).toEqual([
      ["2025-03-09T06:59:00.000Z", 1, 300],
      ["2025-03-09T07:30:00.000Z", 3, 240],
      ["2025-03-09T07:00:00.000Z", 3, 240],
      ["2025-11-02T04:59:00.000Z", 0, 240],
      ["2025-11-02T05:30:00.000Z", 1, 240],
      ["2025-11-02T07:00:00.000Z", 2, 300],
    ]);
  });

  test("texts, setters and locale methods", async () => {
    const code = `
      const d = new Date('2025-07-01T12:00:00Z');
      const out = [String(d), d.toDateString(), d.toTimeString(), d.toLocaleString('en-GB'), new Date(String(d)).getTime() === d.getTime()];
      d.setHours(0, 0, 0, 0); out.push(d.toISOString());
      d.setMonth(0); out.push(d.toISOString(), d.getTimezoneOffset());
      out.push(Intl.DateTimeFormat().resolvedOptions().timeZone);
      return out;
    `;
    expect(await value(code, { timeZone: "Europe/Berlin" })).toEqual([
      "Tue Jul 01 2025 14:00:00 GMT+0200 (Central European Summer Time)",
      "Tue Jul 01 2025",
      "14:00:00 GMT+0200 (Central European Summer Time)",
      "01/07/2025, 14:00:00",
      true,
      "2025-06-30T22:00:00.000Z",
      "2024-12-31T23:00:00.000Z",
      -60,
      "Europe/Berlin",
    ]);
  });

  test("zones that skipped a day, or have offsets of half hours and of seconds", async () => {
    expect(
      await value(
        "return [new Date(2011, 11, 30, 12).toISOString(), new Date(Date.UTC(2011, 11, 30, 9, 59)).getDate(), new Date(Date.UTC(2011, 11, 30, 10)).getDate()]",
        { timeZone: "Pacific/Apia" },
      ),
    ).toEqual(["2011-12-30T22:00:00.000Z", 29, 31]);
    expect(
      await value("return [new Date('2025-01-01T00:00Z').getTimezoneOffset(), new Date('2025-07-01T00:00Z').getTimezoneOffset()]", {
        timeZone: "Australia/Lord_Howe",
      }),
    ).toEqual([-660, -630]);
    expect(await value("return new Date(Date.UTC(1850, 0, 1)).toString()", { timeZone: "Europe/Berlin" })).toContain("GMT+0053");
  });
});

test("the clock is the run's", async () => {
  expect(
    await value("return [Date.now(), new Date().toISOString(), new Date().getTime(), typeof performance]", {
      now: () => 1_700_000_000_123.9,
    }),
  ).toEqual([1_700_000_000_123, "2023-11-14T22:13:20.123Z", 1_700_000_000_123, "undefined"]);
});
