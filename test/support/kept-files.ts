import { createHash } from "node:crypto";
import { CodedError } from "../../shared/errors.ts";
import type { KeptFiles } from "../../shared/tools/define-tool.ts";

/** A caller's files in memory, by id. */
export function keptFiles(files: ReadonlyMap<string, Uint8Array> = new Map()): KeptFiles {
  return {
    async find(id) {
      const bytes = files.get(id);
      if (!bytes) throw new CodedError("target_not_found", "There is no such file.");
      return {
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        read: async (offset, length) => bytes.subarray(offset, offset + length),
      };
    },
  };
}
