// What `npm run build` runs: compiles the sources into dist/, and writes down there from what it was built.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [inRoot(script), ...args], { cwd: inRoot(""), stdio: "inherit" });
  return status ?? 1;
};

// A build that fails must not keep the name of the one before.
rmSync(inRoot("dist/build.json"), { force: true });
const status = run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
if (status === 0) run("cli/stamp.mjs");
process.exit(status);
