import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file (mode 0600) so that after a crash at any moment either the old or the new text is there, and the new
 * one once this has resolved.
 */
export async function writeDurably(file: string, text: string): Promise<void> {
  const next = `${file}.next`;
  const handle = await open(next, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file);
  await syncDirectory(dirname(file));
}

/** A rename is on the disk only when its directory is; Windows has no such call and needs none. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
