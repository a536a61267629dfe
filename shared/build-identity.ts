import { linkProtocol } from "./link/messages.ts";
import { sha256Hex } from "./sha256.ts";

/** What a running process is, as far as it can tell; what it cannot is null. */
export interface BuildIdentity {
  version: string;
  /** Git commit that it was built from, and whether files differed from it. */
  commit: string | null;
  dirty: boolean | null;
  /** Equal for equal sources and libraries, wherever they were built. */
  buildId: string | null;
  /** Operating system and processor, for example "linux-x64", and the version of Node. */
  target: string;
  runtime: string;
  /** "release" as built; "source" when it runs from its sources. */
  profile: string;
  /** Versions of the link's protocol that it speaks, the oldest first. */
  protocols: { oldest: number; newest: number };
  /** User of the operating system under which it runs. */
  userId: number | null;
  /** Of the file that is run, in hex. */
  sha256: string | null;
}

export interface BuildIdentityParts {
  version: string;
  /** The file that is run; undefined where there is none. */
  file: string | undefined;
  /** Written when the product was built; it may be missing, as it is beside the sources. */
  stampFile: string;
  platform: string;
  arch: string;
  nodeVersion: string;
  userId: number | undefined;
  /** The bytes of a file; may reject. */
  read: (path: string) => Promise<Uint8Array>;
}

/** Gathers what this process is. Never fails: what cannot be read is null. */
export async function readBuildIdentity(parts: BuildIdentityParts): Promise<BuildIdentity> {
  const { version, file, read } = parts;
  const stamp = await readStamp(parts);
  return {
    version,
    commit: textOf(stamp.commit, /^[0-9a-f]{7,64}$/),
    dirty: typeof stamp.dirty === "boolean" ? stamp.dirty : null,
    buildId: textOf(stamp.buildId, /^[\w.:+-]{1,64}$/),
    target: `${parts.platform}-${parts.arch}`,
    runtime: `node ${parts.nodeVersion}`,
    profile: textOf(stamp.profile, /^\w{1,32}$/) ?? (file?.endsWith(".ts") ? "source" : "release"),
    protocols: { ...linkProtocol },
    userId: parts.userId ?? null,
    sha256: file === undefined ? null : await hashOf(file, read),
  };
}

/** As clients are told. */
export function tellBuild(build: BuildIdentity): Record<string, string | number | boolean | null> {
  const { version, commit, dirty, buildId, target, runtime, profile, protocols, userId, sha256 } = build;
  const about = { version, git_commit: commit, dirty, build_id: buildId, target, runtime, profile };
  const { oldest, newest } = protocols;
  return { ...about, protocol_oldest: oldest, protocol_newest: newest, user_id: userId, sha256 };
}

async function readStamp({ stampFile, read }: BuildIdentityParts): Promise<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(await read(stampFile))));
  } catch {
    return {};
  }
}

function textOf(value: unknown, pattern: RegExp): string | null {
  return typeof value === "string" && pattern.test(value) ? value : null;
}

async function hashOf(file: string, read: BuildIdentityParts["read"]): Promise<string | null> {
  try {
    return await sha256Hex(new Uint8Array(await read(file)));
  } catch {
    return null;
  }
}
