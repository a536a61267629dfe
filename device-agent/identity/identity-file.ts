import { readFile } from "node:fs/promises";
import { z } from "zod";
import { StartError } from "../start-error.ts";
import { writeDurably } from "./durable-write.ts";
import type { Identity } from "./identity.ts";

const contents = z.object({
  installId: z.string().min(16).max(128),
  connectSeq: z.number().int().nonnegative(),
});

/** The identity kept in `device-agent.json`, made at the first start. Throws StartError when the file is unreadable. */
export async function openIdentityFile(options: {
  file: string;
  /** A fresh unguessable text of `[a-z0-9]`. */
  randomId: (length: number) => string;
}): Promise<Identity> {
  const { file, randomId } = options;
  const found = await read(file);
  const installId = found?.installId ?? randomId(32);
  let connectSeq = found?.connectSeq ?? 0;
  let line: Promise<unknown> = Promise.resolve();
  const store = () => writeDurably(file, `${JSON.stringify({ installId, connectSeq }, null, 2)}\n`);
  if (!found) await store();

  return {
    installId,
    bootId: randomId(16),
    nextConnectSeq() {
      const next = line.then(async () => {
        connectSeq += 1;
        const mine = connectSeq;
        await store();
        return mine;
      });
      line = next.catch(() => {});
      return next;
    },
  };
}

async function read(file: string): Promise<z.output<typeof contents> | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new StartError(`cannot read ${file}`, cause);
  }
  try {
    return contents.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`${file} is damaged; remove it to register this device agent as a new one`, cause);
  }
}
