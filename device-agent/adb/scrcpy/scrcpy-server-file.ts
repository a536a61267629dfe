import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Of scrcpy-server 3.3.1 as its authors published it: Genymobile/scrcpy v3.3.1, doc/build.md, "Use prebuilt server". */
const OFFICIAL_SHA256 = "a0f70b20aa4998fbf658c94118cd6c8dab6abbb0647a3bdab344d70bc1ebcbb8";

export type ScrcpyServerFile = { ok: true; bytes: Uint8Array } | { ok: false; reason: string };

/** The program that is started on the phone: only the published one, byte for byte. */
export async function readScrcpyServer(path: string | undefined): Promise<ScrcpyServerFile> {
  if (path === undefined)
    return { ok: false, reason: "This device agent has no helper program (scrcpy-server 3.3.1)." };
  try {
    const bytes = await readFile(path);
    if (createHash("sha256").update(bytes).digest("hex") === OFFICIAL_SHA256) return { ok: true, bytes };
    return { ok: false, reason: "The helper program of this device agent is not the published scrcpy-server 3.3.1." };
  } catch {
    return { ok: false, reason: "The helper program of this device agent (scrcpy-server 3.3.1) cannot be read." };
  }
}

/** The copy that is installed with us, whether or not it is there and whole; undefined if its package is missing. */
export function bundledScrcpyServer(): string | undefined {
  try {
    const entry = import.meta.resolve("@u4/minicap-prebuilt");
    return fileURLToPath(new URL("prebuilt/scrcpy/scrcpy-server-v3.3.1.jar", entry));
  } catch {
    return undefined;
  }
}
