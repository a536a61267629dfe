import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBuildIdentity } from "../../device-agent/build-identity.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "farhand-"));
});
afterEach(() => rm(folder, { recursive: true }));

const machine = { version: "1.2.3", platform: "linux", arch: "arm64", nodeVersion: "v22.1.0", userId: 1000 };

test("what was written at build time is told, with the hash of the file that runs", async () => {
  const file = join(folder, "main.js");
  const stamp = join(folder, "build.json");
  await writeFile(file, "abc");
  await writeFile(stamp, JSON.stringify({ commit: "bc641c8", dirty: false, buildId: "b-7", profile: "release" }));
  expect(await readBuildIdentity({ ...machine, file, stampFile: pathToFileURL(stamp) })).toEqual({
    version: "1.2.3",
    commit: "bc641c8",
    dirty: false,
    buildId: "b-7",
    target: "linux-arm64",
    runtime: "node v22.1.0",
    profile: "release",
    protocols: { oldest: 1, newest: 1 },
    userId: 1000,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  });
});

test("what nobody has written is not known", async () => {
  const missing = pathToFileURL(join(folder, "build.json"));
  const told = await readBuildIdentity({
    ...machine,
    file: join(folder, "none.ts"),
    stampFile: missing,
    userId: undefined,
  });
  expect(told).toMatchObject({
    commit: null,
    dirty: null,
    buildId: null,
    profile: "source",
    userId: null,
    sha256: null,
  });
});

test("a stamp that is no stamp is as good as none", async () => {
  const stamp = join(folder, "build.json");
  for (const text of ["", "null", "[1]", '{"commit": 7, "dirty": "yes", "buildId": "a b"}', '{"commit": "$(id)"}']) {
    await writeFile(stamp, text);
    const told = await readBuildIdentity({ ...machine, file: undefined, stampFile: pathToFileURL(stamp) });
    expect(told, text).toMatchObject({ commit: null, dirty: null, buildId: null, profile: "release" });
  }
});
