import { expect, test } from "vitest";
import { type BuildIdentityParts, readBuildIdentity, tellBuild } from "../../shared/build-identity.ts";

const machine = { version: "1.2.3", platform: "linux", arch: "arm64", nodeVersion: "v22.1.0", userId: 1000 };
const stampFile = "/opt/farhand/dist/build.json";

/** Reads from these files and no others. */
function identity(files: Record<string, string>, over: Partial<BuildIdentityParts> = {}) {
  const read = async (path: string) => {
    const content = files[path];
    if (content === undefined) throw new Error("ENOENT");
    return new TextEncoder().encode(content);
  };
  return readBuildIdentity({ ...machine, file: undefined, stampFile, read, ...over });
}

test("what was written at build time is told, with the hash of the file that runs", async () => {
  const stamp = JSON.stringify({ commit: "bc641c8", dirty: false, buildId: "b-7", profile: "release" });
  const files = { [stampFile]: stamp, "/opt/main.js": "abc" };
  expect(tellBuild(await identity(files, { file: "/opt/main.js" }))).toEqual({
    version: "1.2.3",
    git_commit: "bc641c8",
    dirty: false,
    build_id: "b-7",
    target: "linux-arm64",
    runtime: "node v22.1.0",
    profile: "release",
    protocol_oldest: 1,
    protocol_newest: 1,
    user_id: 1000,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  });
});

test("what nobody has written is not known", async () => {
  expect(await identity({}, { file: "/opt/none.ts", userId: undefined })).toMatchObject({
    commit: null,
    dirty: null,
    buildId: null,
    profile: "source",
    userId: null,
    sha256: null,
  });
});

test("a stamp that is no stamp is as good as none", async () => {
  for (const text of ["", "null", "[1]", '{"commit": 7, "dirty": "yes", "buildId": "a b"}', '{"commit": "$(id)"}']) {
    const told = await identity({ [stampFile]: text });
    expect(told, text).toMatchObject({ commit: null, dirty: null, buildId: null, profile: "release" });
  }
});
