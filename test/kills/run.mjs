// What `npm run kill-tests` runs: kill -9 of gateway and device agent at random moments while Tasks are at work. Prints a
// summary, and of each fault the seed that repeats its run. The exit code is 0 when there is none. Needs a build:
// node test/kills/run.mjs [--runs N] [--seed N] [--dist FOLDER]
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { module } = await runnerImport(here("main.ts"), { configFile: false, logLevel: "error" });
const say = (line) => process.stdout.write(`${line}\n`);
process.exitCode = await module.main(process.argv.slice(2), here("../../dist"), say);
