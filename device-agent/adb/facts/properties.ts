/**
 * The answer of `getprop`: one `[key]: [value]` per property; a value may be empty, hold brackets, colons or line
 * breaks. Lines may end with a carriage return.
 */
export function parseProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  const lines = text.split(/\r*\n/);
  let open: { key: string; value: string } | undefined;
  for (const line of lines) {
    const start = /^\[([^\]]+)\]: \[(.*)$/.exec(line);
    if (start) open = { key: start[1] ?? "", value: start[2] ?? "" };
    else if (open) open.value += `\n${line}`;
    if (open?.value.endsWith("]")) {
      properties.set(open.key, open.value.slice(0, -1));
      if (start === null) open = undefined;
    }
  }
  return properties;
}
