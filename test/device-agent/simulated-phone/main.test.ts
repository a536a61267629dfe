import { describe, expect, test } from "vitest";
import { parseCommandLine, UsageError } from "../../../device-agent/simulated-phone/command-line.ts";
import { createSimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";

test("the serial is drawn from the given chance", () => {
  expect(createSimulatedPhone({ random: () => 0.7 }).serial).toBe("SIMBBBBBBBB");
  expect(createSimulatedPhone().serial).toMatch(/^SIM[0-9A-F]{8}$/);
});

describe("the command line", () => {
  test("defaults to loopback and a free port", () => {
    expect(parseCommandLine([])).toEqual({ phone: {}, host: "127.0.0.1", port: 0, exitsWithParent: false });
  });

  test("takes the phone's properties", () => {
    const parsed = parseCommandLine(
      "--port 6000 --serial SIM1 --model Pixel --width 720 --height 1600 --latency real --keyguard pin --pin 2580 --exit-with-parent".split(
        " ",
      ),
    );
    expect(parsed).toEqual({
      phone: {
        serial: "SIM1",
        model: "Pixel",
        width: 720,
        height: 1600,
        latency: "real",
        keyguard: "pin",
        pin: "2580",
      },
      host: "127.0.0.1",
      port: 6000,
      exitsWithParent: true,
    });
  });

  test.each([
    ["--port 70000", "--port takes a whole number from 0 to 65535"],
    ["--latency huge", "--latency takes small, real"],
    ["--keyguard face", "--keyguard takes none, swipe, pin"],
    ["--nonsense", "--nonsense"],
    ["--serial a/b", "--serial takes letters"],
    ["phone", "phone"],
  ])("%s is one clear line", (text, message) => {
    expect(() => parseCommandLine(text.split(" "))).toThrow(UsageError);
    expect(() => parseCommandLine(text.split(" "))).toThrow(message);
  });
});
