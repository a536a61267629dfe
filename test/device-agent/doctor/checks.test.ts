import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findAdbProgram, readServerProtocol } from "../../../device-agent/adb/server/adb-program.ts";
import { checkAdb } from "../../../device-agent/doctor/check-adb.ts";
import { checkGateway } from "../../../device-agent/doctor/check-gateway.ts";
import type { Finding } from "../../../device-agent/doctor/finding.ts";
import { tellFindings } from "../../../device-agent/doctor/tell.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createFakeDial } from "../support/fake-dial.ts";

const levels = (findings: Finding[]) => findings.map(({ check, level }) => [check, level]);

describe("adb", () => {
  const program = { protocol: 41, release: "35.0.2" };
  const sight = { program, serverProtocol: 41, where: "127.0.0.1:5037", hasOtherWay: false };

  test.each([
    ["with program and server", {}, ["ok", "ok"]],
    ["with a server only", { program: undefined }, ["warn", "ok"]],
    ["with a program only", { serverProtocol: undefined }, ["ok", "warn"]],
    ["with neither", { program: undefined, serverProtocol: undefined }, ["fail", "fail"]],
    [
      "with neither, but phones by TCP",
      { program: undefined, serverProtocol: undefined, hasOtherWay: true },
      ["warn", "warn"],
    ],
  ])("%s", (_, changes, expected) => {
    expect(checkAdb({ ...sight, ...changes }).map(({ level }) => level)).toEqual(expected);
  });

  test("of two versions is pointed out: each use of one ends the server of the other", () => {
    const findings = checkAdb({ ...sight, serverProtocol: 32 });
    expect(levels(findings)).toEqual([
      ["adb_program", "ok"],
      ["adb_server", "ok"],
      ["adb_server", "warn"],
    ]);
    expect(findings[2]?.message).toContain("speaks version 32 and the adb program 41");
  });

  test("tells its version without starting a server", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "farhand-adb-")), "adb");
    writeFileSync(
      file,
      "#!/bin/sh\n[ $# = 1 ] && [ $1 = version ] || exit 9\nprintf 'Android Debug Bridge version 1.0.41\\nVersion 35.0.2-12147458\\nInstalled as x\\n'\n",
    );
    chmodSync(file, 0o755);
    expect(await findAdbProgram(file)).toEqual({ protocol: 41, release: "35.0.2-12147458" });
    expect(await findAdbProgram(`${file}-missing`)).toBeUndefined();
  });

  test("server tells its version to whoever asks", async () => {
    const asked: string[] = [];
    const server = createServer((socket) => {
      socket.on("data", (data) => {
        asked.push(data.toString());
        socket.end("OKAY00040029");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address && typeof address === "object" ? address.port : 0;
    expect(await readServerProtocol({ host: "127.0.0.1", port })).toBe(41);
    expect(asked).toEqual(["000chost:version"]);
    await new Promise((resolve) => server.close(resolve));
    expect(await readServerProtocol({ host: "127.0.0.1", port })).toBeUndefined();
  });
});

describe("the way to the gateway", () => {
  const now = Date.parse("2026-11-30T12:00:00.500Z");
  const look = (date: string, act: (dial: ReturnType<typeof createFakeDial>) => void) => {
    const clock = createManualClock(now);
    const fake = createFakeDial();
    const fetch = async () => new Response("{}", { headers: { date } });
    const looked = checkGateway({ clock, dial: fake.dial, fetch, url: "wss://gateway.example/link", token: "t" });
    setTimeout(() => act(fake), 5);
    return { looked, clock };
  };
  const sameTime = "Mon, 30 Nov 2026 12:00:00 GMT";

  test.each([
    [sameTime, "ok", "agree"],
    ["Mon, 30 Nov 2026 11:58:00 GMT", "warn", "120 s ahead of the gateway's"],
    ["Mon, 30 Nov 2026 12:02:00 GMT", "warn", "120 s behind the gateway's"],
  ])("compares clocks: %s", async (date, level, words) => {
    const { looked } = look(date, ({ last }) => last().open());
    const clock = (await looked).find(({ check }) => check === "clock");
    expect(clock).toMatchObject({ level, message: expect.stringContaining(words) });
  });

  test("that a proxy does not open for WebSockets fails, and says where to look", async () => {
    const { looked } = look(sameTime, ({ last }) => last().decline(502));
    expect((await looked).at(-1)).toMatchObject({
      level: "fail",
      message: "The gateway takes no WebSocket.",
      fix: "Let the proxy in front of the gateway pass WebSocket upgrades on /link.",
    });
  });
});

test("for a person there is one line for each finding, what to do below it, and a last word", () => {
  const findings: Finding[] = [
    { level: "ok", subject: "adb", check: "adb_program", message: "adb 35 is on the PATH." },
    { level: "warn", subject: "Pixel 8", check: "lock", message: "It is locked.", fix: "Unlock it." },
  ];
  expect(tellFindings(findings)).toEqual([
    "ok    adb      adb 35 is on the PATH.",
    "warn  Pixel 8  It is locked.",
    "               → Unlock it.",
    "",
    "Usable, with 1 to look at.",
  ]);
  const broken: Finding[] = [{ level: "fail", subject: "phones", check: "phones", message: "There is no phone." }];
  expect(tellFindings(broken).at(-1)).toBe("Not everything can be used: 1 failed, 0 to look at.");
});
