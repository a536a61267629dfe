// Fails when a source file has more than 500 lines: it then does more than one thing.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const limit = 500;
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.mjs"], { encoding: "utf8" });
const sizes = tracked
  .split("\n")
  .filter((file) => file !== "" && existsSync(file))
  .map((file) => ({ file, lines: readFileSync(file, "utf8").split("\n").length - 1 }))
  .sort((one, other) => other.lines - one.lines);
const long = sizes.filter(({ lines }) => lines > limit);
for (const { file, lines } of long) process.stderr.write(`${file}: ${lines} lines, at most ${limit} allowed\n`);

const sources = sizes.filter(({ file }) => !file.startsWith("test/"));
const median = sources[Math.floor(sources.length / 2)]?.lines ?? 0;
const over300 = sources.filter(({ lines }) => lines > 300).length;
process.stdout.write(`${sources.length} source files, median ${median} lines, ${over300} over 300\n`);
process.exit(long.length === 0 ? 0 : 1);
