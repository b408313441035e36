// Two million characters: built, split, counted, matched and replaced.
const stems = ["north", "south", "east77", "west", "upper", "lower3", "inner", "outer"];
let text = "";
for (let n = 0; text.length < 2_000_000; n++) {
  text += stems[n % 8] + (n % 13 === 0 ? ";\n" : " ") + ((n * 41) % 1000) + " ";
}
const rows = text.split("\n");
const counts = {};
for (const row of rows) {
  for (const word of row.split(" ")) {
    if (word) counts[word] = (counts[word] || 0) + 1;
  }
}
const threeDigits = text.match(/\b\d{3}\b/g).length;
const shouted = text.replace(/([a-z]+)77/g, (_, stem) => stem.toUpperCase());
const pattern = /l(o)wer(\d)/g;
let digits = 0;
for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) digits += Number(match[2]);
return {
  length: text.length,
  rows: rows.length,
  distinct: Object.keys(counts).length,
  north: counts.north,
  threeDigits,
  shouted: shouted.length,
  pieces: shouted.split("EAST").length,
  digits,
  head: rows.slice(0, 3).map((row) => row.trim().padEnd(12, "-").slice(0, 24)),
};
