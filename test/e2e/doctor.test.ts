import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createSimulatedPhone } from "../../device-agent/simulated-phone/simulated-phone.ts";
import { sdkClient } from "./support/clients.ts";
import { farhand, type Program } from "./support/program.ts";

const token = "doctor-token-0123456789-0123456789-0123456789";
let dataDir: string;
const started: Program[] = [];
const phone = createSimulatedPhone({ width: 540, height: 1200, density: 210 });

const run = (...args: string[]) => {
  const program = farhand(args, { FARHAND_TOKEN: token });
  started.push(program);
  return program;
};

// The first picture loads the fonts, which takes seconds on a busy machine.
beforeAll(() => void phone.picture());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "farhand-doctor-"));
});
afterEach(async () => {
  for (const program of started.splice(0)) {
    program.kill("SIGTERM");
    await program.ended;
  }
  await phone.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("the doctor looks at everything while a device agent works, and leaves it at its work", async () => {
  const { host, port } = await phone.listen();
  const gateway = await run("gateway", "--json", "--port", "0", "--data-dir", join(dataDir, "gateway")).event(
    "listening",
  );
  const place = ["--gateway", String(gateway.url), "--data-dir", join(dataDir, "device-agent")];
  const agentArguments = [...place, "--phones", "direct", "--direct", `${host}:${port}`, "--allow", "write"];
  const deviceAgent = run("device-agent", "--json", ...agentArguments);
  await deviceAgent.event("linked");
  const files = readdirSync(join(dataDir, "device-agent")).sort();
  const client = await sdkClient.connect(String(gateway.mcp), token);

  const doctor = run("device-agent", "doctor", "--json", ...agentArguments);
  let calls = 0;
  const code = await Promise.race([
    doctor.ended,
    (async () => {
      for (;;) {
        const pressed = await client.call("press_key", { key: "home" });
        expect(pressed.structuredContent, JSON.stringify(pressed)).toMatchObject({ ok: true });
        calls += 1;
      }
    })(),
  ]);
  expect(code, doctor.stdout() + doctor.stderr()).toBe(0);
  expect(calls).toBeGreaterThan(0);
  const lines = doctor
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ event: "result", usable: true, fail: 0 });
  expect(
    lines
      .filter(({ level }) => level === "ok")
      .map(({ check }) => check)
      .sort(),
  ).toEqual(["clock", "gateway", "input", "phone", "policy", "token"]);
  expect(deviceAgent.stdout()).not.toContain('"unlinked"');
  expect(readdirSync(join(dataDir, "device-agent")).sort()).toEqual(files);
  await client.close();
});

test("without a phone and a gateway the doctor says so for people, and ends with 1", async () => {
  const program = run(
    "device-agent",
    "doctor",
    "--phones",
    "adb",
    "--adb-port",
    "1",
    "--data-dir",
    join(dataDir, "none"),
  );
  expect(await program.ended).toBe(1);
  expect(program.stdout()).toMatch(/^fail +phones +There is no phone\.$/m);
  expect(program.stdout()).toMatch(/^ +→ Give --gateway URL\.$/m);
  expect(program.stdout().trim().split("\n").at(-1)).toMatch(
    /^Not everything can be used: \d failed, \d to look at\.$/,
  );
});

test("help knows the doctor, and an unknown word behind the device agent is refused", async () => {
  const help = run("--help");
  await help.ended;
  expect(help.stdout()).toMatch(/^ {2}device-agent doctor {2}Looks at adb/m);
  const own = run("device-agent", "doctor", "--help");
  expect(await own.ended).toBe(0);
  expect(own.stdout()).toContain("Usage: farhand device-agent doctor [options]");
  const wrong = run("device-agent", "doktor");
  expect(await wrong.ended).toBe(2);
  expect(wrong.stderr()).toContain("doktor");
});
