import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../../device-agent/simulated-phone/command-line.ts";
import { startPhone } from "./support/running-phone.ts";

const starting = { startMs: Number.POSITIVE_INFINITY };

describe("while Android starts", () => {
  test.each([
    ["pm list packages", "cmd: Can't find service: package\n", 20],
    ["pm path android", "cmd: Can't find service: package\n", 20],
    ["cmd window size", "cmd: Can't find service: window\n", 20],
    ["input tap 1 1", "cmd: Can't find service: input\n", 20],
    ["settings get secure android_id", "cmd: Can't find service: settings\n", 20],
    ["dumpsys power", "Can't find service: power\n", 0],
    ["screencap -p", "Failed to get ID for any displays.\n", 1],
  ])("%s has no service", async (command, stderr, status) => {
    const { run, phone } = await startPhone(starting);
    expect(await run(command)).toEqual({ stdout: "", stderr, status });
    expect(phone.screen.receivedInputs).toEqual([]);
  });

  test("an older release has words of its own", async () => {
    const { run } = await startPhone({ ...starting, profile: "android7" });
    expect((await run("pm list packages")).stderr).toBe(
      "Error: Could not access the Package Manager.  Is the system running?\n",
    );
    expect((await run("am start -n a.b/.C")).stderr).toContain("Can't connect to activity manager");
  });

  test("adbd, properties and files work", async () => {
    const { text } = await startPhone(starting);
    expect(await text("getprop sys.boot_completed; getprop dev.bootcomplete; getprop init.svc.bootanim")).toBe(
      "\n\nrunning\n",
    );
    expect(await text("getprop ro.product.model; echo x | wc -c")).toBe("Farhand Sim\n2\n");
    expect(await text("cat /proc/uptime")).toMatch(/^\d+\.\d\d \d+\.\d\d\n$/);
  });

  test("it ends, by itself or when it is told to", async () => {
    const { phone, text } = await startPhone(starting);
    phone.finishStart();
    expect(await text("getprop sys.boot_completed; getprop init.svc.bootanim; pm path android")).toBe(
      "1\nstopped\npackage:/system/framework/framework-res.apk\n",
    );
    const other = await startPhone({ startMs: 30 });
    await expect.poll(() => other.text("getprop sys.boot_completed")).toBe("1\n");
    expect(await other.text("pm path android")).toContain("package:");
  });

  test("a build that never says so starts all the same", async () => {
    const { text } = await startPhone({ quirks: { neverSaysStarted: true } });
    expect(await text("getprop sys.boot_completed; getprop dev.bootcomplete; pm path android")).toBe(
      "\n\npackage:/system/framework/framework-res.apk\n",
    );
  });

  test("the command line can ask for it", () => {
    expect(parseCommandLine(["--start", "2500", "--quirk", "neverSaysStarted"])?.phone).toEqual({
      startMs: 2500,
      quirks: { neverSaysStarted: true },
    });
    expect(() => parseCommandLine(["--start", "soon"])).toThrow("--start takes a whole number");
  });
});
