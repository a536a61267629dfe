import { expect, test } from "vitest";
import { redactArguments } from "../../../device-agent/audit/redact-arguments.ts";

test.each([
  [
    "type_text",
    { text: "hunter2", submit: true, device: "dev_1" },
    { text: { characters: 7 }, submit: true, device: "dev_1" },
  ],
  ["type_text", { text: 4711 }, { text: { characters: 4 } }],
  ["type_text", { txet: "hunter2" }, { txet: { characters: 7 } }],
  ["set_clipboard", { text: "👍🏽 ok" }, { text: { characters: 5 } }],
  ["unknown_tool", { text: "secret" }, { text: { characters: 6 } }],
  ["tap_text", { text: "Save" }, { text: "Save" }],
  ["tap", { x: 1, y: 2 }, { x: 1, y: 2 }],
  ["open_url", { url: "https://me:pass@example.com/a?token=1#2" }, { url: "https://example.com/a" }],
  ["run_shell", { command: "rm -r /sdcard/x", timeout_ms: 5 }, { command: "rm -r /sdcard/x", timeout_ms: 5 }],
  ["push_file", { path: "/sdcard/a", content: "secret" }, { path: "/sdcard/a", content: { characters: 6 } }],
  [
    "install_app",
    { apks: ["https://me:pass@example.com/a.apk?token=1", "/sdcard/b.apk"], sha256: ["00"] },
    { apks: ["https://example.com/a.apk", "/sdcard/b.apk"], sha256: ["00"] },
  ],
])("%s %j is kept as %j", (tool, given, kept) => {
  expect(redactArguments(tool, given)).toEqual(kept);
});

test("a very long argument is cut", () => {
  const long = "x".repeat(1_000);
  const kept = redactArguments("run_shell", { command: long, other: long });
  expect(kept.command).toBe(`${"x".repeat(500)}… (1000 characters)`);
  expect(kept.other).toBe(`${"x".repeat(200)}… (1000 characters)`);
});
