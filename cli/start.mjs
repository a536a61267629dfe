// What `npm start` runs: builds the sources, then becomes `farhand up`. One process, so that signals reach it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const build = spawnSync(process.execPath, ["cli/build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] });
if (build.status !== 0) process.exit(build.status ?? 1);
process.argv.splice(2, 0, "up");
await import("../dist/cli/main.js");
