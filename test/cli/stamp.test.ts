import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../cli/stamp.mjs", import.meta.url));
const settings = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const sources = ["cli/main.ts", "device-agent/main.ts", "gateway/app.ts", "gateway/node/main.ts", "shared/clock.ts"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "farhand-stamp-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A small copy of the product's folders, as after compiling. */
function product(name: string): string {
  const root = join(folder, name);
  for (const path of [...settings, ...sources, ".gitignore", "dist/cli/main.js"]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path === ".gitignore" ? "dist/\n" : `of ${path}`);
  }
  copyFileSync(script, join(root, "cli/stamp.mjs"));
  return root;
}

const git = (root: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: root,
    encoding: "utf8",
  });

function commitAll(root: string): string {
  git(root, "init", "--quiet");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "all");
  return git(root, "rev-parse", "HEAD").trim();
}

function stamp(root: string): Record<string, unknown> {
  execFileSync(process.execPath, ["cli/stamp.mjs"], { cwd: root });
  return JSON.parse(readFileSync(join(root, "dist/build.json"), "utf8"));
}

test("a build names its commit, and whether files differed from it", () => {
  const root = product("here");
  const commit = commitAll(root);
  const clean = stamp(root);
  expect(clean).toEqual({ commit, dirty: false, buildId: expect.stringMatching(/^[0-9a-f]{16}$/), profile: "release" });
  writeFileSync(join(root, "shared/clock.ts"), "changed");
  expect(stamp(root)).toMatchObject({ commit, dirty: true });
  expect(stamp(root).buildId).not.toBe(clean.buildId);
});

test("a build without git, or inside somebody else's repository, names no commit", () => {
  const root = product("unpacked");
  expect(stamp(root)).toMatchObject({ commit: null, dirty: null, profile: "release" });
  commitAll(folder);
  expect(stamp(root)).toMatchObject({ commit: null, dirty: null });
});

test("equal sources and libraries give the same id in any place, and others another one", () => {
  const { buildId } = stamp(product("one"));
  const other = product("two");
  expect(stamp(other).buildId).toBe(buildId);
  for (const path of ["package-lock.json", "gateway/node/main.ts"]) {
    writeFileSync(join(other, path), "changed");
    expect(stamp(other).buildId, path).not.toBe(buildId);
    writeFileSync(join(other, path), `of ${path}`);
  }
  writeFileSync(join(other, "shared/more.ts"), "");
  expect(stamp(other).buildId).not.toBe(buildId);
});

test("a build goes through where nothing can be read or written", () => {
  const root = product("bare");
  for (const path of ["dist", "shared", "package-lock.json"]) rmSync(join(root, path), { recursive: true });
  expect(() => execFileSync(process.execPath, ["cli/stamp.mjs"], { cwd: root })).not.toThrow();
  mkdirSync(join(root, "dist"));
  expect(stamp(root)).toMatchObject({ buildId: null, profile: "release" });
});
