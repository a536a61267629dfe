import { expect, test } from "vitest";
import { z } from "zod";
import { createChatExecutor } from "../../../device-agent/tasks/executors/chat.ts";
import type { TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import type { Picture } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { fileReportSchema } from "../../../shared/link/file-streams.ts";
import { defineDeviceTool } from "../../../shared/tools/define-tool.ts";
import { installApp } from "../../../shared/tools/packages.ts";
import { call } from "../support/dispatch-bench.ts";
import { createTasksBench, taskStart } from "../support/tasks-bench.ts";

const rest = { title: "Small", description: "For tests.", timeoutMs: 40_000, permission: "screen:read" as const };
const picture = (bytes: number): Picture => ({
  bytes: new Uint8Array(bytes).fill(7),
  mimeType: "image/jpeg",
  width: 540,
  height: 1200,
  native: { width: 1080, height: 2400 },
  rotation: 0,
  quality: 70,
  black: false,
  fingerprint: "f",
});
const show = defineDeviceTool({
  ...rest,
  name: "show",
  effect: "read",
  input: z.strictObject({ bytes: z.number() }),
  output: z.object({ ok: z.boolean() }),
  handle: async (_call, { bytes }) => ({ output: { ok: true }, pictures: [picture(bytes)] }),
});
const talk = defineDeviceTool({
  ...rest,
  name: "talk",
  effect: "read",
  input: z.strictObject({ chars: z.number(), ok: z.boolean().default(true) }),
  output: z.object({ ok: z.boolean(), text: z.string() }),
  handle: async (_call, { chars, ok }) => ({ output: { ok, text: "ü".repeat(chars) } }),
});
const tools = [show, talk];
const showStep = (bytes: number) => ({ tool: "show", arguments: { bytes } });
const talkStep = (chars: number, ok = true) => ({ tool: "talk", arguments: { chars, ok } });

test("a small picture comes with the Task, a large one by an address that its owner may fetch", async () => {
  const bench = createTasksBench({ tools });
  const link = bench.connect();
  await bench.say(taskStart("t1", [showStep(1_000), showStep(300_000)]), link);
  const small = bench.store.artifact("t1", "picture-1");
  expect(small).toMatchObject({
    name: "Step 1: show",
    parts: [{ mediaType: "image/jpeg", filename: "picture-1.jpg" }],
  });
  expect(Buffer.from(small?.parts[0]?.raw ?? "", "base64")).toHaveLength(1_000);
  const large = bench.store.artifact("t1", "picture-2")?.parts[0];
  expect(large).toMatchObject({
    url: "/files/file_0000000000000001",
    filename: "picture-2.jpg",
    mediaType: "image/jpeg",
  });
  expect(fileReportSchema.parse(large?.metadata?.file)).toMatchObject({ bytes: 300_000, name: "picture-2.jpg" });
  expect(bench.kept.get("file_0000000000000001")).toHaveLength(300_000);
});

test("many pictures never fill the Task's document: those beyond its half are kept beside it", async () => {
  const bench = createTasksBench({ tools });
  const link = bench.connect();
  await bench.say(
    taskStart(
      "t1",
      Array.from({ length: 30 }, () => showStep(250_000)),
    ),
    link,
  );
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  const parts = Array.from({ length: 30 }, (_, n) => bench.store.artifact("t1", `picture-${n + 1}`)?.parts[0]);
  expect(parts.filter((part) => part?.raw !== undefined)).toHaveLength(6);
  expect(parts.filter((part) => part?.url !== undefined)).toHaveLength(24);
  const size = JSON.stringify(bench.store.task("t1").events).length;
  expect(size).toBeLessThan(4 * 1024 * 1024);
});

test("long outputs are cut in the evidence at a whole character, and the oldest are left out of the result", async () => {
  const bench = createTasksBench({ tools });
  const link = bench.connect();
  await bench.say(
    taskStart(
      "t1",
      Array.from({ length: 20 }, () => talkStep(10_000)),
    ),
    link,
  );
  const data = JSON.parse(JSON.stringify(bench.store.artifact("t1", "result")?.parts[0]?.data));
  expect(data.steps[0]).toMatchObject({ tool: "talk", ok: true, output_left_out: true });
  expect(data.steps[19].output.text).toHaveLength(10_000);
  expect(data.evidence).toMatchObject({ total: 20, truncated: true });
  for (const { output } of data.evidence.items) {
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(output)).toBeGreaterThan(4_090);
    expect(output).not.toContain("\ufffd");
  }
});

test("a tool that says itself that it did not succeed stops the Task as a failure", async () => {
  const bench = createTasksBench({ tools });
  const link = bench.connect();
  await bench.say(taskStart("t1", [talkStep(1, false), talkStep(2)]), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t1")).toMatch(/^Step 1 of 2 \(talk\) failed: The tool says that it did not succeed/);
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({
    steps: [{ ok: false, output: { ok: false } }, { skipped: true }],
    failed_tools: ["talk"],
    evidence: { items: [{ outcome: "failed" }] },
  });
});

test("an executor that tells more than a Task's document holds is stopped with too_large, and its end is still told", async () => {
  let told = 0;
  const flood: TaskExecutor = {
    check: () => {},
    async run({ emit }) {
      for (;;) {
        emit({ artifactId: "flood", parts: [{ text: "x".repeat(100_000) }] }, { append: told > 0, lastChunk: false });
        told += 1;
      }
    },
  };
  const bench = createTasksBench({ executors: { flood } });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "flood" }), link);
  expect(told).toBe(41);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t1")).toContain("4194304 bytes");
});

test("a step may take as long as its tool allows inside of a Task", async () => {
  const slow = (name: string, more: object) =>
    defineDeviceTool({
      ...rest,
      ...more,
      name,
      effect: "read",
      input: z.strictObject({}),
      output: z.object({ ok: z.boolean(), left: z.number() }),
      async handle({ pause, steps }) {
        const left = steps.leftMs();
        await pause(120_000);
        return { output: { ok: true, left } };
      },
    });
  const bench = createTasksBench({ tools: [slow("slow", {}), slow("patient", { taskTimeoutMs: 600_000 })] });
  const link = bench.connect();
  await bench.say(taskStart("t1", [{ tool: "patient" }, { tool: "slow" }]), link);
  await bench.clock.advance(170_000);
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({
    steps: [
      { ok: true, ms: 120_000, output: { left: 598_000 } },
      { ok: false, ms: 40_000, error: { code: "deadline_exceeded" } },
    ],
  });
});

test("an install that takes several rounds is one step of a Task, and one call each outside of it", async () => {
  const goOn = () => new CodedError("deadline_exceeded", "The files are not all there yet.", { retryAfterMs: 0 });
  const bench = createTasksBench({ tools: [installApp] });
  const link = bench.connect();
  const rounds = (count: number) => {
    let left = count;
    bench.a.before = () => {
      if (left-- > 0) throw goOn();
    };
  };
  rounds(3);
  const install = { tool: "install_app", arguments: { apks: ["/sdcard/a.apk"] } };
  await bench.say(taskStart("t1", [install]), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  rounds(1);
  bench.dispatch.call(call("c1", "install_app", { arguments: install.arguments, timeoutMs: 48_000 }), bench.direct);
  await bench.clock.advance(0);
  expect(bench.direct.about("c1").at(-1)).toMatchObject({ error: { code: "deadline_exceeded" } });
});

test("a Task in words fails as long as no model is configured, and says what works without", async () => {
  const bench = createTasksBench({ executors: { chat: createChatExecutor() } });
  const link = bench.connect();
  const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "Open the settings." }] };
  await bench.say(taskStart("t1", [], { skill: "chat", message }), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t1")).toMatch(/^No model is configured at the device agent\. .*steps/);
});
