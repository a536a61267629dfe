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
])("%s %j is kept as %j", (tool, given, kept) => {
  expect(redactArguments(tool, given)).toEqual(kept);
});

test("a very long argument is cut", () => {
  const kept = redactArguments("run_shell", { command: "x".repeat(1_000) });
  expect(kept.command).toBe(`${"x".repeat(200)}… (1000 characters)`);
});
