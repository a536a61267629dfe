/** The hexadecimal identity that dumps print for an object; the same for the same name. */
export function tokenOf(name: string): string {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (hash & 0xfffffff).toString(16);
}
