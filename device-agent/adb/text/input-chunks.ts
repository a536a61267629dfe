/** A piece for one `input text`, or a line break, which is a key. */
export type InputChunk = { kind: "text"; argument: string } | { kind: "enter" };

/** Far below what the oldest adbd takes, even when each character needs four for quoting. */
const CHUNK_CHARS = 800;

/** True if `input text` carries every character: printable ASCII, and line breaks as keys. */
export const isPlainInput = (text: string) => /^(?:[ -~]|\r?\n)*$/.test(text);

/**
 * Splits a text for `input text`, which turns `%s` into a space: spaces travel as that, and a literal `%s` is split
 * between two commands. AOSP frameworks/base, InputShellCommand.sendText.
 */
export function inputChunks(text: string): InputChunk[] {
  const chunks: InputChunk[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (index > 0) chunks.push({ kind: "enter" });
    for (const part of line.split(/(?<=%)(?=s)/)) {
      for (let at = 0; at < part.length; at += CHUNK_CHARS) {
        chunks.push({ kind: "text", argument: part.slice(at, at + CHUNK_CHARS).replaceAll(" ", "%s") });
      }
    }
  }
  return chunks;
}
