// Which files of test262 count, and what their frontmatter says.

const FLAGS = new Set(["module", "raw", "noStrict"]);
const FEATURES = [
  /^Atomics/, /^SharedArrayBuffer$/, /^ShadowRealm$/, /^Temporal$/, /^cross-realm$/, /^dynamic-import$/, /^import\.meta$/, /^import-attributes$/,
  /^import-defer$/, /^export-defer$/, /^source-phase-imports/, /^import-text$/, /^import-bytes$/, /^json-modules$/, /^top-level-await$/,
  /^tail-call-optimization$/, /^caller$/, /^IsHTMLDDA$/, /^host-gc-required$/, /^legacy-regexp$/, /^decorators$/, /^FinalizationRegistry$/,
];
const CODE_FROM_TEXT = /\beval\s*\(|\b(?:Async)?(?:Generator)?Function\s*\(|\$262/;

/** `{ flags, features, includes, negative? }` and why the file is out of scope, if it is. */
export function readFile(text) {
  const match = /\/\*---([\s\S]*?)---\*\//.exec(text);
  const meta = match === null ? { flags: [], features: [], includes: [] } : frontmatter(match[1]);
  const rest = match === null ? text : text.slice(0, match.index) + text.slice(match.index + match[0].length);
  const flag = meta.flags.find((f) => FLAGS.has(f));
  const feature = meta.features.find((f) => FEATURES.some((re) => re.test(f)));
  if (flag !== undefined) meta.out = `flag ${flag}`;
  else if (feature !== undefined) meta.out = `feature ${feature}`;
  else if (CODE_FROM_TEXT.test(rest)) meta.out = "code from text or $262";
  return meta;
}

/** The few YAML forms that test262 uses. */
function frontmatter(yaml) {
  const lines = yaml.split(/\r\n|[\r\n]/);
  const list = (key) => {
    const i = lines.findIndex((l) => l.startsWith(`${key}:`));
    if (i < 0) return [];
    let inline = lines[i].slice(key.length + 1).trim();
    if (inline.startsWith("[")) {
      for (let j = i + 1; !inline.includes("]"); j++) inline += lines[j];
      return inline.slice(1, inline.indexOf("]")).split(",").map((s) => s.trim()).filter(Boolean);
    }
    const out = [];
    for (let j = i + 1; j < lines.length && /^\s+-\s/.test(lines[j]); j++) out.push(lines[j].replace(/^\s+-\s+/, "").trim());
    return out;
  };
  const meta = { flags: list("flags"), features: list("features"), includes: list("includes") };
  const i = lines.findIndex((l) => l.startsWith("negative:"));
  if (i >= 0) {
    meta.negative = {};
    for (let j = i + 1; j < lines.length && /^\s/.test(lines[j]); j++) {
      const [key, value] = lines[j].trim().split(/:\s*/);
      meta.negative[key] = value;
    }
  }
  return meta;
}
