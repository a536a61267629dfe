import { open, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { GatewayConfig } from "./config.ts";
import { StartError, systemCode } from "./start-error.ts";

export interface DatabaseLocation {
  /** As libSQL takes it. */
  url: string;
  /** Its one true path, by which every gateway finds the same lock; null for a database in memory. */
  file: string | null;
}

/**
 * Finds the database, and makes its file when there is none, readable for its owner only: what libSQL adds beside it
 * takes on the rights of that file. Throws StartError.
 */
export async function locateDatabase({
  database,
  dataDir,
}: Pick<GatewayConfig, "database" | "dataDir">): Promise<DatabaseLocation> {
  const path = database === undefined ? join(dataDir, "gateway.db") : pathOf(database);
  const url = database ?? `file:${path}`;
  if (path === null) return { url, file: null };
  try {
    const made = await open(path, "a", 0o600);
    await made.close();
    return { url, file: await realpath(path) };
  } catch (cause) {
    throw new StartError(`The file ${path} cannot be written (${systemCode(cause)}).`, cause);
  }
}

/** libSQL reads `file:` addresses in its own way: a relative path is allowed, and percent signs are decoded. */
function pathOf(url: string): string | null {
  const [, path = ""] = /^file:(?:\/\/[^/?#]*)?([^?#]*)/.exec(url) ?? [];
  if (path === ":memory:") return null;
  try {
    return resolve(decodeURIComponent(path));
  } catch (cause) {
    throw new StartError(`The database ${url} cannot be opened: its address is not valid.`, cause);
  }
}
