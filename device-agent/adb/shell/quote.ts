/**
 * The only place where words become shell text. A word is put into single quotes, which the POSIX shell takes
 * literally; an apostrophe closes, is escaped, and opens again. A NUL cannot travel in a command.
 */
export function quote(word: string): string {
  if (word.includes("\0")) throw new TypeError("A shell word cannot hold a NUL character.");
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** One command line of a program and its arguments. */
export function commandLine(...words: (string | number)[]): string {
  return words.map((word) => quote(String(word))).join(" ");
}
