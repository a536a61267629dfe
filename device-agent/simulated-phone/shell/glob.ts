/** Shell patterns: `*`, `?`, `[…]`; a backslash takes the meaning from the next character. */
export function matchesGlob(pattern: string, text: string): boolean {
  return new RegExp(`^${globSource(pattern)}$`, "su").test(text);
}

export function quoteForGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}

export function unquoteGlob(pattern: string): string {
  return pattern.replace(/\\(.)/gs, "$1");
}

function globSource(pattern: string): string {
  let source = "";
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    const set = character === "[" ? /^\[([!^]?)((?:\\.|[^\]\\])+)\]/s.exec(pattern.slice(at)) : undefined;
    if (character === "\\") source += escapeRegExp(pattern.charAt(++at));
    else if (character === "*") source += ".*";
    else if (character === "?") source += ".";
    else if (set) {
      source += `[${set[1] === "" ? "" : "^"}${(set[2] ?? "").replace(/[[\]^&]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else source += escapeRegExp(character);
  }
  return source;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === "-" || character === "/" ? character : `\\${character}`,
  );
}

/** Paths below `root` whose components match the pattern, one component after another. */
export function expandGlob(pattern: string, cwd: string, list: (directory: string) => readonly string[]): string[] {
  const isAbsolute = pattern.startsWith("/");
  let found = [isAbsolute ? "/" : ""];
  for (const component of pattern.split("/").filter((part) => part !== "")) {
    const next: string[] = [];
    for (const parent of found) {
      const directory = parent === "" ? cwd : parent;
      const join = (name: string) => (parent === "" || parent === "/" ? parent + name : `${parent}/${name}`);
      if (!/(^|[^\\])[*?[]/.test(component)) next.push(join(unquoteGlob(component)));
      else
        for (const name of list(directory))
          if ((component.startsWith(".") || !name.startsWith(".")) && matchesGlob(component, name))
            next.push(join(name));
    }
    found = next;
  }
  return found.sort();
}
