// What a build runs last: writes into dist/build.json from what it was made. Without git, or when anything goes wrong,
// less is known, and the build stands all the same.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["cli", "device-agent", "gateway", "shared"];
const settings = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];

function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

function git(...args) {
  return execFileSync("git", ["--no-optional-locks", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The commit, when this folder is itself a repository and does not merely lie in somebody else's. */
function commitHere() {
  const [prefix, commit] = git("rev-parse", "--show-prefix", "HEAD").split("\n");
  return prefix === "" ? commit : null;
}

function sourcesIn(folder) {
  const inside = readdirSync(join(root, folder), { withFileTypes: true });
  return inside.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sourcesIn(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

/** 16 hex digits over the sources and what decides how they are compiled and with which libraries. */
function buildIdOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    const content = readFileSync(join(root, ...path.split("/")));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

const commit = attempt(commitHere);
const stamp = {
  commit,
  dirty: commit === null ? null : attempt(() => git("status", "--porcelain").trim() !== ""),
  buildId: attempt(() => buildIdOf([...settings, ...folders.flatMap(sourcesIn)])),
  profile: "release",
};
attempt(() => writeFileSync(join(root, "dist", "build.json"), `${JSON.stringify(stamp)}\n`));
