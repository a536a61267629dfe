import { open, rename, stat } from "node:fs/promises";
import type { Logger } from "../../shared/log.ts";
import { StartError } from "../start-error.ts";
import type { Audit } from "./audit.ts";

/** Then the file becomes `<file>.1`, in place of an older one. */
const rotateAtBytes = 64 * 1024 * 1024;

/** The audit as JSON lines in a file that only its owner reads (0600). Throws StartError when it cannot be written. */
export async function openAuditFile(options: { file: string; log: Logger }): Promise<Audit> {
  const { file, log } = options;
  const openFile = () => open(file, "a", 0o600);
  let handle = await openFile().catch((cause: unknown) => {
    throw new StartError(`cannot write the audit ${file}`, cause);
  });
  let bytes = (await stat(file)).size;
  let line: Promise<void> = Promise.resolve();
  let waiting = "";

  const flush = async () => {
    const text = waiting;
    waiting = "";
    if (text === "") return;
    await handle.appendFile(text);
    bytes += Buffer.byteLength(text);
    if (bytes < rotateAtBytes) return;
    await handle.close();
    await rename(file, `${file}.1`);
    handle = await openFile();
    bytes = 0;
  };

  return {
    record({ at, ...rest }) {
      waiting += `${JSON.stringify({ time: new Date(at).toISOString(), ...rest })}\n`;
      line = line.then(flush).catch((cause: unknown) => log.error("The audit cannot be written", { cause }));
    },
    async close() {
      await line;
      await handle.close();
    },
  };
}
