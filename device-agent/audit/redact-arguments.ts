/** Tools whose texts are somebody's input: they may be passwords, PINs or private letters. */
const secretInput = new Set(["type_text", "set_clipboard"]);
/** Tools whose `text` is something that stands on the screen already. */
const visibleText = new Set(["tap_text", "wait_for"]);
/** Arguments of the tools with secret input that say nothing of it. */
const harmless = new Set(["device", "observe", "submit", "screenshot_id"]);
const longestText = 200;
/** What was run matters more than brevity. */
const longestCommand = 500;

/**
 * The arguments as the audit may keep them: typed text, clipboard and what is in files as a length only, addresses
 * without a query, commands in clear.
 */
export function redactArguments(tool: string, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, redact(tool, name, value)]));
}

function redact(tool: string, name: string, value: unknown): unknown {
  if (name === "steps" && Array.isArray(value)) return value.map(redactStep);
  const isSecret = secretInput.has(tool) ? !harmless.has(name) : name === "text" && !visibleText.has(tool);
  if (isSecret || name === "content") return { characters: [...textOf(value)].length };
  if (name === "url" && typeof value === "string") return withoutQuery(value);
  if (name === "apks" && Array.isArray(value)) return value.map((apk) => withoutQuery(textOf(apk)));
  const text = textOf(value);
  const longest = name === "command" ? longestCommand : longestText;
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : value;
}

function withoutQuery(address: string): string {
  const shown = address.split(/[?#]/)[0]?.replace(/\/\/[^/]*@/, "//") ?? "";
  return shown.slice(0, longestText);
}

/** A step leaves a line of its own as well. */
function redactStep(step: unknown): unknown {
  const { tool, arguments: input } = Object(step) as Record<string, unknown>;
  const name = String(tool).slice(0, longestText);
  return { tool: name, arguments: redactArguments(name, Object(input) as Record<string, unknown>) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
