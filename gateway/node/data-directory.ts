import { chmod, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError, systemCode } from "./start-error.ts";

/** Makes sure that the directory is there and is ours alone. Throws StartError. */
export async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
    const probe = join(path, `.probe-${process.pid}`);
    await writeFile(probe, "", { mode: 0o600 });
    await rm(probe);
  } catch (error) {
    throw new StartError(`The data directory ${path} cannot be used (${systemCode(error)}).`, error);
  }
}

/** Reads a small secret, or makes it with `create` and keeps it, readable for its owner only. */
export async function keepSecret(path: string, create: () => string): Promise<string> {
  const kept = await readFile(path, "utf8").catch((error) => {
    if (systemCode(error) === "ENOENT") return "";
    throw new StartError(`The file ${path} cannot be read (${systemCode(error)}).`, error);
  });
  if (kept.trim() !== "") return kept.trim();
  const secret = create();
  // Written beside and moved into place, so that a crash leaves no half of it.
  const fresh = `${path}.${process.pid}`;
  const file = await open(fresh, "w", 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  return secret;
}
