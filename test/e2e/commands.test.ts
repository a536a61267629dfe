import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sdkClient } from "./support/clients.ts";
import { farhand, type Program } from "./support/program.ts";
import { until } from "./support/until.ts";

/** Every test starts processes, which is slow where much else runs. */
vi.setConfig({ testTimeout: 90_000 });

let dataDir: string;
const started: Program[] = [];

const run = (args: string[], env: Record<string, string> = {}) => {
  const program = farhand(args, env);
  started.push(program);
  return program;
};
const up = (...args: string[]) =>
  run(["up", "--json", "--port", "0", "--data-dir", dataDir, "--phones", "simulated", ...args]);

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "farhand-up-"));
});
afterEach(async () => {
  for (const program of started.splice(0)) {
    program.kill("SIGTERM");
    await program.ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

describe("farhand up", () => {
  test("brings a phone, a token and an address, and every line of stdout is one JSON object", async () => {
    const program = up();
    const ready = await program.event("ready");
    expect(ready).toEqual({
      event: "ready",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mcp: `${ready.url}/mcp`,
      a2a: `${ready.url}/a2a`,
      console: null,
      panel: null,
      token: expect.stringMatching(/^[\w-]{43}$/),
      devices: [
        {
          id: expect.stringMatching(/^dev_[0-9a-f]{20}$/),
          name: "Farhand Sim",
          serial: expect.any(String),
          state: "device",
        },
      ],
    });
    const client = await sdkClient.connect(String(ready.mcp), String(ready.token));
    await client.call("take_screenshot");
    expect((await client.call("tap", { x: 100, y: 100, snap: false })).structuredContent).toMatchObject({ ok: true });
    await client.close();
    for (const line of program.stdout().trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("keeps token, device and serial across a restart", async () => {
    const first = up();
    const before = await first.event("ready");
    first.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    const after = await up().event("ready");
    expect(after.token).toBe(before.token);
    expect((after.devices as { id: string }[])[0]?.id).toBe((before.devices as { id: string }[])[0]?.id);
  });

  test("never prints a token that was given", async () => {
    const token = "given-token-0123456789-abcdefghijklmnopqrstuvwxyz";
    const program = up("--token", token, "--log-level", "debug");
    const ready = await program.event("ready");
    expect(ready.token).toBeNull();
    const client = await sdkClient.connect(String(ready.mcp), token);
    expect(await client.toolNames()).toContain("tap");
    await client.close();
    expect(program.stdout() + program.stderr()).not.toContain(token);
  });

  test("brings several simulated phones, each with a name of its own", async () => {
    const ready = await up("--phones", "simulated:2").event("ready");
    const names = (ready.devices as { name: string }[]).map(({ name }) => name).sort();
    expect(names).toEqual(["Farhand Sim", "Farhand Sim 2"]);
  });

  test("leaves no process behind when it is killed", async () => {
    const program = up();
    await program.event("ready");
    const children = childrenOf(program.pid);
    expect(children).toHaveLength(3);
    program.kill("SIGKILL");
    await program.ended;
    await until(() => children.every((pid) => !isAlive(pid)), 15_000);
  });

  test("stops when one of its parts is lost, and says which", async () => {
    const program = up();
    await program.event("ready");
    const deviceAgent = childrenOf(program.pid).find((pid) => commandOf(pid).includes("device-agent\0"));
    process.kill(deviceAgent ?? 0, "SIGKILL");
    expect(await program.ended).toBe(1);
    expect(program.stderr()).toContain("the device agent ended");
  });

  test("says for people what to do next, with a configuration to paste", async () => {
    const program = run(["up", "--port", "0", "--data-dir", dataDir, "--phones", "simulated"]);
    await until(() => program.stdout().includes("Ctrl-C stops everything."), 30_000);
    expect(program.stdout()).toContain('"mcpServers"');
    expect(program.stdout()).toMatch(/MCP +http:\/\/127\.0\.0\.1:\d+\/mcp/);
  });

  test("without any phone it says so and goes on waiting for one", async () => {
    const program = run(["up", "--port", "0", "--data-dir", dataDir, "--phones", "adb", "--adb-port", "1"]);
    await until(() => program.stdout().includes("No phone yet."), 30_000);
  });
});

describe("what a user can put right is one clear line and exit code 2", () => {
  const refused = async (args: string[], env: Record<string, string> = {}) => {
    const program = run(args, env);
    expect(await program.ended).toBe(2);
    const lines = program.stderr().trim().split("\n");
    expect(lines, program.stderr()).toHaveLength(1);
    return lines[0];
  };

  test("a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await until(() => other.address() !== null);
    const address = other.address();
    const port = String(address && typeof address === "object" ? address.port : 0);
    expect(await refused(["gateway", "--port", port, "--data-dir", dataDir])).toContain(port);
    expect(await refused(["up", "--port", port, "--data-dir", dataDir])).toContain(port);
    other.close();
  });

  test("an option that does not exist, or a value that does not fit", async () => {
    expect(await refused(["up", "--prot", "1"])).toContain("--prot");
    expect(await refused(["gateway", "--port", "http"])).toContain("--port");
    expect(await refused(["up", "--phones", "two"])).toContain("simulated:N");
    expect(await refused(["gateway"], { FARHAND_PORT: "99999" })).toContain("FARHAND_PORT");
    expect(await refused(["gateway"], { FARHAND_PROT: "1" })).toContain("FARHAND_PROT");
    expect(await refused(["gateway", "--token", "short"])).toContain("--token");
    expect(await refused(["device-agent"])).toContain("--gateway");
    expect(await refused(["sing"])).toContain('"sing"');
  });

  test("a data directory that cannot be used", async () => {
    writeFileSync(join(dataDir, "file"), "");
    expect(await refused(["gateway", "--port", "0", "--data-dir", join(dataDir, "file")])).toContain("file");
    const gateway = ["--gateway", "http://127.0.0.1:1", "--token", "x".repeat(32)];
    expect(await refused(["device-agent", ...gateway, "--data-dir", join(dataDir, "file")])).toContain("file");
  });

  test("a second process on the same data directory", async () => {
    const place = ["--port", "0", "--json", "--data-dir", join(dataDir, "gateway")];
    await run(["gateway", ...place]).event("listening");
    expect(await refused(["gateway", ...place])).toMatch(/another|already/i);
  });

  test("plain HTTP where others could listen", async () => {
    expect(await refused(["gateway", "--host", "0.0.0.0", "--port", "0", "--data-dir", dataDir])).toContain(
      "--allow-insecure-http",
    );
    const elsewhere = ["--gateway", "http://gateway.example", "--token", "x".repeat(32), "--data-dir", dataDir];
    expect(await refused(["device-agent", ...elsewhere])).toContain("--allow-insecure-http");
  });

  test("a configuration file that is not there, not JSON, or has unknown keys", async () => {
    const path = join(dataDir, "farhand.json");
    expect(await refused(["gateway", "--config", path])).toContain(path);
    writeFileSync(path, "{");
    expect(await refused(["gateway", "--config", path])).toContain("JSON");
    writeFileSync(path, '{"prot": 1}');
    expect(await refused(["gateway", "--config", path])).toContain("prot");
  });
});

test("later wins: file, environment, option", async () => {
  const path = join(dataDir, "farhand.json");
  const listening = async (args: string[], env: Record<string, string>) => {
    const program = run(["gateway", "--json", "--config", path, ...args], env);
    const { url } = await program.event("listening");
    program.kill("SIGTERM");
    await program.ended;
    return new URL(String(url)).hostname;
  };
  writeFileSync(path, JSON.stringify({ host: "127.0.0.2", port: 0, dataDir: join(dataDir, "gateway") }));
  expect(await listening([], {})).toBe("127.0.0.2");
  expect(await listening([], { FARHAND_HOST: "127.0.0.3" })).toBe("127.0.0.3");
  expect(await listening(["--host", "127.0.0.4"], { FARHAND_HOST: "127.0.0.3" })).toBe("127.0.0.4");
});

test("help and version are there for every command", async () => {
  for (const args of [["--help"], ["up", "--help"], ["gateway", "--help"], ["device-agent", "--help"], ["--version"]]) {
    const program = run(args);
    expect(await program.ended, args.join(" ")).toBe(0);
    expect(program.stderr()).toBe("");
    expect(program.stdout().length).toBeGreaterThan(5);
  }
});

test("files and directories are closed to other users of the machine", async () => {
  mkdirSync(join(dataDir, "open"), { recursive: true });
  chmodSync(join(dataDir, "open"), 0o755);
  await up().event("ready");
  for (const part of ["gateway", "device-agent"]) {
    const folder = join(dataDir, part);
    expect((statSync(folder).mode & 0o777).toString(8), folder).toBe("700");
    for (const file of readdirSync(folder)) {
      expect((statSync(join(folder, file)).mode & 0o077).toString(8), join(folder, file)).toBe("0");
    }
  }
});

function childrenOf(pid: number): number[] {
  const told = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return told === "" ? [] : told.split(" ").map(Number);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8");
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
  } catch {
    return false;
  }
}
