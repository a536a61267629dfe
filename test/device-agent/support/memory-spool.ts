import type { Spool } from "../../../device-agent/spool/spool.ts";
import { keptFiles } from "../../support/kept-files.ts";

/** A spool that keeps what it is given in memory, in `files` by id. */
export function memorySpool(files = new Map<string, Uint8Array>()): Pick<Spool, "of" | "put"> {
  return {
    of: () => keptFiles(files),
    async put(bytes, { name, mediaType }) {
      const id = `file_${String(files.size + 1).padStart(16, "0")}`;
      files.set(id, bytes);
      const sizes = { bytes: bytes.length, received: bytes.length };
      return { id, name, mediaType, ...sizes, sha256: "0".repeat(64), expiresAt: 1, asOf: 0 };
    },
  };
}
