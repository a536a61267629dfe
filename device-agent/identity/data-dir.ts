import { access, chmod, constants, mkdir, readdir, stat } from "node:fs/promises";
import { StartError } from "../start-error.ts";

/** By these a directory is known as ours; any other one that is not empty is not changed. */
const ownFiles = ["device-agent.json", "policy.json"];

/** Makes the data directory, for its owner only. Throws StartError. */
export async function prepareDataDir(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { mode } = await stat(directory);
    if ((mode & 0o077) !== 0) await closeToOthers(directory);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`cannot use the data directory ${directory}: ${reasonOf(cause)}`, cause);
  }
}

async function closeToOthers(directory: string): Promise<void> {
  const entries = await readdir(directory);
  if (entries.length > 0 && !entries.some((name) => ownFiles.includes(name))) {
    throw new StartError(`${directory} holds other files and is open to other users; choose a directory of its own`);
  }
  await chmod(directory, 0o700);
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const known: Record<string, string> = {
    EACCES: "no permission",
    EPERM: "it belongs to somebody else",
    EROFS: "the disk is read-only",
    EEXIST: "it is a file",
    ENOTDIR: "a part of its path is a file",
    ENOSPC: "the disk is full",
  };
  return known[code] ?? (code || String(cause));
}
