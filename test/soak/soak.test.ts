import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasAdb } from "../device-agent/adb/adb-server.ts";

const program = fileURLToPath(new URL("run.mjs", import.meta.url));

function run(...args: string[]): Promise<{ code: number | null; told: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let told = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        told += text;
      });
    child.once("error", reject);
    child.once("exit", (code) => resolve({ code, told }));
  });
}

/** The whole of it is `npm run soak`. */
test.runIf(hasAdb || process.env.CI === "true")(
  "hundreds of mixed calls on four phones, with the adb server killed twice, leave nothing behind",
  { timeout: 150_000 },
  async () => {
    const { code, told } = await run("--calls", "500", "--restarts", "2", "--minutes", "2");
    expect(told).toContain("500 calls in");
    expect(code, told).toBe(0);
  },
);
