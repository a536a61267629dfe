// What `npm run check` runs: types per runtime, lint with the import rules, derived pages clean.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const steps = [
  ...["shared", "gateway", "gateway/node", "device-agent", "cli", "test"].map((folder) => ["tsc", ["-p", folder]]),
  ["node", ["cli/build.mjs"]],
  ["biome", ["check", "--error-on-warnings", "."]],
  ["node", ["test/file-sizes.mjs"]],
  ["node", ["docs/generate.mjs", "--check"]],
];

let failed = 0;
for (const [program, args] of steps) {
  const run = spawnSync(program, args, { cwd: root, stdio: "inherit", shell: false });
  if (run.status === 0) continue;
  failed += 1;
  process.stderr.write(`failed: ${program} ${args.join(" ")}\n`);
}
process.exit(failed === 0 ? 0 : 1);
