/** Tools whose texts are somebody's input: they may be passwords, PINs or private letters. */
const secretInput = new Set(["type_text", "set_clipboard"]);
/** Tools whose `text` is something that stands on the screen already. */
const visibleText = new Set(["tap_text", "wait_for"]);
/** Arguments of the tools with secret input that say nothing of it. */
const harmless = new Set(["device", "observe", "submit", "screenshot_id"]);
const longestText = 200;

/** The arguments as the audit may keep them: typed text and clipboard as a length only, addresses without a query. */
export function redactArguments(tool: string, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, redact(tool, name, value)]));
}

function redact(tool: string, name: string, value: unknown): unknown {
  const isSecret = secretInput.has(tool) ? !harmless.has(name) : name === "text" && !visibleText.has(tool);
  if (isSecret) return { characters: [...textOf(value)].length };
  if (name === "url" && typeof value === "string") return value.split(/[?#]/)[0]?.replace(/\/\/[^/]*@/, "//");
  const text = textOf(value);
  return text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
