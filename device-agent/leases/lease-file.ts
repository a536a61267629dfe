import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Logger } from "../../shared/log.ts";
import { writeDurably } from "../identity/durable-write.ts";
import type { Lease } from "./lease.ts";

/** Where leases outlive the process. */
export interface LeaseFile {
  read(): Promise<Lease[]>;
  /** Resolves when they are on the disk. One write at a time, the last one wins. */
  write(leases: Lease[]): Promise<void>;
}

const contents = z.object({
  leases: z.array(
    z.object({
      id: z.string(),
      phone: z.string(),
      caller: z.string(),
      holder: z.string(),
      purpose: z.string().optional(),
      expiresAt: z.number(),
    }),
  ),
});

/** A file (mode 0600) in the data directory. One that cannot be read counts as empty: a lease is short. */
export function createLeaseFile({ path, log }: { path: string; log: Logger }): LeaseFile {
  let line: Promise<void> = Promise.resolve();
  return {
    async read() {
      try {
        return contents.parse(JSON.parse(await readFile(path, "utf8"))).leases;
      } catch (cause) {
        const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
        if (!isMissing) log.warn("The leases of the last run cannot be read; every phone is free", { path, cause });
        return [];
      }
    },
    write(leases) {
      const text = `${JSON.stringify({ leases }, null, 2)}\n`;
      const written = line.then(() => writeDurably(path, text));
      line = written.catch(() => {});
      return written;
    },
  };
}
