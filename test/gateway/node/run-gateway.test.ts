import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLoopback, reachableHost } from "../../../gateway/node/addresses.ts";
import { runGateway } from "../../../gateway/node/main.ts";
import { until } from "../support/ready.ts";
import { legacy, postRaw } from "../support/rpc.ts";

let folder: string;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "farhand-run-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  stdout: string[];
  stderr: string[];
  exitCode: Promise<number>;
  stop(): Promise<number>;
}

function run(flags: Record<string, string | boolean>, env: Record<string, string> = {}, file = {}): Run {
  const controller = new AbortController();
  const stdout: string[] = [];
  const stderr: string[] = [];
  const exitCode = runGateway({
    flags: { port: "0", dataDir: folder, ...flags },
    env,
    file,
    version: "0.1.0",
    stdout: (line) => stdout.push(line),
    stderr: (line) => stderr.push(line),
    stop: controller.signal,
  });
  const stop = () => {
    controller.abort();
    return exitCode;
  };
  stops.push(stop);
  return { stdout, stderr, exitCode, stop };
}

async function listening(started: Run): Promise<Record<string, string>> {
  await until(() => started.stdout.length > 0);
  return JSON.parse(started.stdout[0] ?? "");
}

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("a gateway that starts", () => {
  it("says where it listens in one line of JSON, and ends with 0", async () => {
    const started = run({ json: true });
    const event = await listening(started);
    expect(Object.keys(event)).toEqual(["event", "url", "mcp", "a2a", "local", "localMcp", "token"]);
    expect(event.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(event.mcp).toBe(`${event.url}/mcp`);
    expect(event.a2a).toBe(`${event.url}/a2a`);
    const answer = await postRaw(event.mcp ?? "", legacy("tools/list"), { token: event.token ?? null });
    expect(answer.status).toBe(200);
    expect(await started.stop()).toBe(0);
    expect(started.stdout).toHaveLength(1);
  });

  it("makes a token of 256 bits, keeps it for itself, and shows the same one the next time", async () => {
    const first = run({ json: true });
    const { token } = await listening(first);
    expect(token).toMatch(/^[\w-]{43}$/);
    await first.stop();
    const second = run({ json: true });
    expect((await listening(second)).token).toBe(token);
    const files = [
      "token",
      "gateway.lock",
      "audit.jsonl",
      "gateway.db",
      "gateway.db.lock",
      "gateway.db-wal",
      "gateway.db-shm",
    ];
    for (const file of files) {
      expect([file, await mode(join(folder, file))]).toEqual([file, "600"]);
    }
    expect(await mode(folder)).toBe("700");
  });

  it("never shows a token that was given, whatever it prints", async () => {
    const token = "given-token-0123456789-0123456789-0123456789";
    const started = run({ json: true, logLevel: "debug" }, { FARHAND_TOKEN: token });
    const event = await listening(started);
    expect((await postRaw(event.mcp ?? "", legacy("tools/list"), { token })).status).toBe(200);
    await started.stop();
    expect([...started.stdout, ...started.stderr].join("\n")).not.toContain(token);
    await expect(readFile(join(folder, "token"))).rejects.toThrow();
  });

  it("tells the public URL and serves its host", async () => {
    const started = run({ json: true, publicUrl: "https://phones.example/" });
    const event = await listening(started);
    expect(event).toMatchObject({ url: "https://phones.example", mcp: "https://phones.example/mcp" });
    expect(event.local).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it("on every address tells one that others reach", async () => {
    const started = run({ json: true, host: "0.0.0.0", allowInsecureHttp: true });
    const event = await listening(started);
    expect(new URL(event.url ?? "").hostname).toBe(await reachableHost("0.0.0.0"));
    const here = await postRaw(event.localMcp ?? "", legacy("tools/list"), { token: event.token ?? null });
    expect(here.status).toBe(200);
  });
});

describe("a gateway that cannot start says why in one line and ends with 2", () => {
  const fails = async (started: Run, said: RegExp) => {
    expect(await started.exitCode).toBe(2);
    expect(started.stdout).toEqual([]);
    expect(started.stderr).toEqual([expect.stringMatching(said)]);
  };

  it("when the port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    await fails(run({ port }), new RegExp(`^farhand gateway: Port ${port} on 127\\.0\\.0\\.1 is taken.*--port`));
    other.close();
    const free = run({ json: true, port });
    expect((await listening(free)).url).toContain(port);
  });

  it("when another one uses the data directory, and names it", async () => {
    await listening(run({ json: true }));
    await fails(run({}), new RegExp(`in use by process ${process.pid} .*gateway\\.lock`));
  });

  it.each([
    ["that file", (file: string) => file],
    ["it by way of a link", (file: string) => join(folder, "link", basename(file))],
  ])("when another one with another data directory uses the same database, given %s", async (_, again) => {
    const file = join(folder, "shared.db");
    await symlink(folder, join(folder, "link"));
    await listening(run({ json: true, dataDir: join(folder, "one"), database: `file:${file}` }));
    expect(await mode(file)).toBe("600");
    const second = run({ dataDir: join(folder, "two"), database: `file:${again(file)}` });
    await fails(second, new RegExp(`The database is in use by process ${process.pid} .*shared\\.db\\.lock`));
  });

  it("when another one was given the database of this data directory", async () => {
    const first = run({ json: true, dataDir: join(folder, "one"), database: `file:${join(folder, "gateway.db")}` });
    await listening(first);
    await fails(run({}), new RegExp(`The database is in use by process ${process.pid} .*gateway\\.db\\.lock`));
    await first.stop();
    expect((await listening(run({ json: true }))).event).toBe("listening");
  });

  it("when the folder of the database is not there", async () => {
    const database = `file:${join(folder, "nowhere", "x.db")}`;
    await fails(run({ database }), /^farhand gateway: The file .*nowhere.x\.db cannot be written \(ENOENT\)/);
  });

  it("when the data directory is a file", async () => {
    const path = join(folder, "file");
    await writeFile(path, "");
    await fails(run({ dataDir: path }), /^farhand gateway: The data directory .*file cannot be used \(EEXIST\)/);
  });

  it("when the database is none", async () => {
    await writeFile(join(folder, "gateway.db"), "This is no database.".repeat(100));
    await fails(run({}), /^farhand gateway: The database file:.*gateway\.db cannot be opened/);
  });

  it("when the audit cannot be written", async () => {
    await mkdir(join(folder, "audit.jsonl"));
    await fails(run({}), /^farhand gateway: The file .*audit\.jsonl cannot be written \(EISDIR\)/);
  });

  it("when the kept token is damaged", async () => {
    await writeFile(join(folder, "token"), "half a tok");
    await fails(run({}), /^farhand gateway: The file .*token does not hold a token; remove it/);
  });

  it.each([
    [{ port: "http" }, /^farhand gateway: --port: must be a port number/],
    [{ token: "short" }, /^farhand gateway: --token: must be 32 to 256 printable/],
    [{ token: `${"x".repeat(40)} y` }, /^farhand gateway: --token: must be 32 to 256 printable/],
    [{ publicUrl: "ftp://x" }, /^farhand gateway: --public-url: must be an http/],
    [{ allowedOrigins: "app.example" }, /^farhand gateway: --allowed-origins: must be origins/],
    [{ host: "0.0.0.0" }, /^farhand gateway: Plain HTTP on 0\.0\.0\.0 .*--allow-insecure-http/],
    [{ host: "192.0.2.7", publicUrl: "http://x.example" }, /^farhand gateway: Plain HTTP on 192\.0\.2\.7/],
    [{ logLevel: "loud" }, /^farhand gateway: --log-level: /],
  ])("when the options are %j", async (flags, said) => {
    await fails(run(flags as Record<string, string>), said);
  });

  it("when several settings are wrong, and then names each", async () => {
    const started = run({ port: "x" }, { FARHAND_LOG_LEVEL: "loud" }, { colour: "red" });
    expect(await started.exitCode).toBe(2);
    expect(started.stderr).toEqual([
      expect.stringMatching(/^farhand gateway: --port/),
      expect.stringMatching(/^farhand gateway: FARHAND_LOG_LEVEL/),
      "farhand gateway: configuration file: unknown key colour",
    ]);
  });
});

describe("a lock that nobody holds any more", () => {
  it.each([
    ["of a process that is gone", JSON.stringify({ pid: 2 ** 22 - 1, startedAt: "1" })],
    ["of a pid that was given to another process", JSON.stringify({ pid: process.ppid, startedAt: "1" })],
    ["of our own pid from an earlier life", JSON.stringify({ pid: process.pid, startedAt: "1" })],
    ["that is no JSON", "{"],
  ])("%s is taken over", async (_, content) => {
    await writeFile(join(folder, "gateway.lock"), content);
    expect((await listening(run({ json: true }))).event).toBe("listening");
  });
});

it("an existing data directory is closed to others", async () => {
  const path = join(folder, "open");
  await mkdir(path);
  await chmod(path, 0o755);
  await listening(run({ json: true, dataDir: path }));
  expect(await mode(path)).toBe("700");
});

it.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["localhost", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
  ["127.evil.example", false],
])("%s as loopback: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
