import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { BuildIdentity } from "../shared/build-identity.ts";
import { linkProtocol } from "../shared/link/messages.ts";

export interface BuildIdentityParts {
  version: string;
  /** The file that is run; undefined where there is none. */
  file: string | undefined;
  platform: string;
  arch: string;
  nodeVersion: string;
  userId: number | undefined;
  /** Written when the product was built; it may be missing, as it is beside the sources. */
  stampFile?: URL;
}

/** Beside the folder of this file: `dist/build.json`. */
const besideTheBuild = new URL("../build.json", import.meta.url);

/** Gathers what this device agent is. Never fails: what cannot be read is null. */
export async function readBuildIdentity(parts: BuildIdentityParts): Promise<BuildIdentity> {
  const stamp = await readStamp(parts.stampFile ?? besideTheBuild);
  return {
    version: parts.version,
    commit: textOf(stamp.commit, /^[0-9a-f]{7,64}$/),
    dirty: typeof stamp.dirty === "boolean" ? stamp.dirty : null,
    buildId: textOf(stamp.buildId, /^[\w.:+-]{1,64}$/),
    target: `${parts.platform}-${parts.arch}`,
    runtime: `node ${parts.nodeVersion}`,
    profile: textOf(stamp.profile, /^\w{1,32}$/) ?? (parts.file?.endsWith(".ts") ? "source" : "release"),
    protocols: { ...linkProtocol },
    userId: parts.userId ?? null,
    sha256: parts.file === undefined ? null : await hashOf(parts.file),
  };
}

async function readStamp(file: URL): Promise<Record<string, unknown>> {
  try {
    return Object(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return {};
  }
}

function textOf(value: unknown, pattern: RegExp): string | null {
  return typeof value === "string" && pattern.test(value) ? value : null;
}

async function hashOf(file: string): Promise<string | null> {
  try {
    return createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  } catch {
    return null;
  }
}
