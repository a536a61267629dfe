const width = 110;
const inlineWidth = 90;

/** An example as it stands in docs/tools.md: the arguments, the answer, and what pictures came with it. */
export function showExample({ arguments: args, answer, pictures }) {
  const images = pictures.length > 0 ? `\n\nand a picture: ${pictures.join("; ")}` : "";
  return `\n${callOf(args)} answers\n\n${fence(answer)}${images}\n`;
}

function callOf(args) {
  const flat = flatten(args);
  if (flat === "{}") return "Example: without arguments it";
  return flat.length <= inlineWidth && !flat.includes("`")
    ? `Example: \`${flat}\``
    : `Example:\n\n${fence(args)}\n\nIt`;
}

const fence = (value) => `\`\`\`json\n${layOut(value, 0, 0)}\n\`\`\``;

/** JSON in which what fits into a line stands in one; `before`: what is on that line already. */
function layOut(value, indent, before) {
  const flat = flatten(value);
  if (indent + before + flat.length <= width || typeof value !== "object" || value === null) return flat;
  const inner = " ".repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((one) => layOut(one, indent + 2, 0))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${layOut(one, indent + 2, key.length + 4)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${" ".repeat(indent)}${close}`;
}

function flatten(value) {
  if (Array.isArray(value)) return `[${value.map(flatten).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${flatten(one)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
