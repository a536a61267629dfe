const MOST_NAMED = 20;

/** The characters that `input text` cannot carry, each once, in order. */
export function notPlain(text: string): string[] {
  return [...new Set(text)].filter((character) => !/^[ -~\r\n]$/.test(character));
}

/** Characters by number, and as they look where they are harmless to print. */
export function namesOf(characters: string[]): string {
  const named = characters.slice(0, MOST_NAMED).map(nameOf);
  const more = characters.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{S}\p{P}]$/u.test(character) ? `${character} (${code})` : code;
}
