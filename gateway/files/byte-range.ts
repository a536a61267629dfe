/** Some bytes of a file. */
export interface ByteRange {
  offset: number;
  length: number;
}

/**
 * What `Range` asks of a file (RFC 9110, section 14.2): one range, or `null` for the whole file, also when there are
 * several or it cannot be read; `unsatisfiable` when none of the bytes are there.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | "unsatisfiable" {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(/\s/g, "") ?? "");
  const [, first = "", last = ""] = found ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(first);
  if (last !== "" && Number(last) < offset) return null;
  if (offset >= size) return "unsatisfiable";
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return { offset, length: end - offset };
}

/** What `Content-Range: bytes 0-99/1000` says of a body; null when it says nothing of the kind. */
export function readContentRange(header: string | undefined): (ByteRange & { total: number | null }) | null {
  const found = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(header?.trim() ?? "");
  if (!found) return null;
  const [offset, last, total] = [Number(found[1]), Number(found[2]), found[3] === "*" ? null : Number(found[3])];
  if (last < offset || (total !== null && last >= total)) return null;
  return { offset, length: last - offset + 1, total };
}
