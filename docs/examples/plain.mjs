// What differs from one run to the next is told as something that looks like it; what is long is cut, and says so.

/** Of these fields no value comes twice. */
const standIns = {
  as_of: "2026-01-31T09:00:00.000Z",
  expires_at: "2026-01-31T09:10:00.000Z",
  lease_expires_at: "2026-01-31T09:10:00.000Z",
  process_id: "p00000001",
  cost_ms: 320,
  waited_ms: 120,
  ms: 90,
  build_identity: "… as device_info tells of the device agent",
};

/** What a running process says of itself depends on who built it and where it runs. */
const buildStandIns = {
  git_commit: "0123456789abcdef0123456789abcdef01234567",
  dirty: false,
  build_id: "0123456789abcdef",
  target: "linux-x64",
  runtime: "node v20.19.0",
  user_id: 1000,
  sha256: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
};

const anyId = /\b((?:ctx|da|dev|file|lease|p|task)_)([\w-]{22}|[a-z0-9]{8,64})(?![\w-])/g;
const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g;
const logTime = /^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s+\d+\s+\d+ /;
const duration = /\+\d+ms\b/g;
/** Of an answer that stands in a text. */
const toldTime = /(?<="(?:waited_ms|cost_ms)":)\d+/g;
/** Of a text in pixels: how sure the reading is; and the clock in the corner of the screen, whatever it was read as. */
const score = /(?<=" )[01]\.\d\d(?= \[[\d,]+\]$)/;
const clock = /^".*" 0\.98 \[\d\d,\d,\d\d,\d\d\]$/;

const mostLines = 6;
const mostChars = 240;

/** A function that tells the values of one example plainly: equal ids stay equal, and each kind is numbered. */
export function createPlain() {
  const seen = {};
  const idOf = (_, prefix, rest) => {
    seen[prefix] ??= [];
    if (!seen[prefix].includes(rest)) seen[prefix].push(rest);
    return `${prefix}${String(seen[prefix].indexOf(rest) + 1).padStart(rest.length, "0")}`;
  };
  const textOf = (text) =>
    text
      .replace(anyId, idOf)
      .replace(isoTime, (_, ms) => `2026-01-31T09:00:00${ms ? ".000" : ""}Z`)
      .replace(logTime, "01-31 09:00:00.000  1422  1422 ")
      .replace(duration, "+142ms")
      .replace(toldTime, "120")
      .replace(score, "0.98")
      .replace(clock, '"09:00" 0.98 [23,5,81,33]');

  const plain = (value) => {
    if (typeof value === "string") return cutText(textOf(value));
    if (Array.isArray(value)) return cutLines(value.map(plain));
    if (typeof value !== "object" || value === null) return value;
    const known = "build_id" in value ? buildStandIns : standIns;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, known[key] ?? plain(one)]));
  };
  return plain;
}

function cutText(text) {
  const chars = [...text];
  return chars.length <= mostChars ? text : `${chars.slice(0, mostChars).join("")} … (${chars.length} characters)`;
}

function cutLines(lines) {
  if (lines.length <= mostLines || lines.some((line) => typeof line !== "string")) return lines;
  return [...lines.slice(0, mostLines - 1), `… and ${lines.length - mostLines + 1} more`];
}
