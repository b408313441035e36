// Reports put together: concatenation, templates, join, repeat, pad, slices, case, char codes.
let csv = "id,name,amount\n";
for (let i = 0; i < 40_000; i++) csv += i + "," + "name" + (i % 100) + "," + (i * 1.5).toFixed(2) + "\n";
const rows = [];
for (let i = 0; i < 20_000; i++) rows.push(`| ${String(i).padStart(6)} | ${"#".repeat(i % 12).padEnd(12)} | ${i % 2 ? "yes" : "no"} |`);
const table = rows.join("\n");
let hash = 0;
for (let i = 0; i < 300_000; i++) hash = (Math.imul(hash, 31) + csv.charCodeAt(i)) | 0;
let caesar = "";
for (const letter of table.slice(0, 50_000)) caesar += String.fromCharCode(letter.charCodeAt(0) ^ 1);
let vowels = 0;
for (let i = 0; i < 100_000; i++) {
  const letter = csv[i];
  if (letter === "a" || letter === "e") vowels++;
}
const title = csv
  .slice(0, 20_000)
  .split("\n")
  .map((line) => line.charAt(0).toUpperCase() + line.slice(1).trim())
  .join("; ");
let found = 0;
for (let at = table.indexOf("yes"); at >= 0; at = table.indexOf("yes", at + 1)) found++;
return { csv: csv.length, table: table.length, hash, caesar: caesar.length, vowels, title: title.length, found, parts: csv.split(",").length, replaced: table.replaceAll("no", "none").length };
