import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { decodeFrame } from "../../../shared/link/frame.ts";
import { type ToGateway, toGatewaySchema } from "../../../shared/link/messages.ts";
import { buildProgram, type RunningProgram, runProgram } from "../support/built-process.ts";
import { FakeGateway, type GatewayLink } from "../support/fake-gateway.ts";
import { FencedStore } from "../support/fenced-store.ts";
import { taskStart } from "../support/tasks-bench.ts";

const token = "process-token-0123456789-0123456789-0123456789";
let program: Awaited<ReturnType<typeof buildProgram>>;
let gateway: FakeGateway;
let store: FencedStore;
let directory: string;
const running: RunningProgram[] = [];

beforeAll(async () => {
  program = await buildProgram("test/device-agent/support/killable-process.ts");
});
afterAll(() => program.remove());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "farhand-task-process-"));
  gateway = new FakeGateway();
  store = new FencedStore();
  await gateway.start();
});
afterEach(async () => {
  for (const { process, ended } of running.splice(0)) {
    process.kill("SIGKILL");
    await ended;
  }
  await gateway.stop();
  rmSync(directory, { recursive: true, force: true });
});

function start(): RunningProgram {
  const args = [gateway.url, join(directory, "data"), join(directory, "presses")];
  const started = runProgram(program.file, args, { FARHAND_TOKEN: token });
  running.push(started);
  return started;
}

/** The link with this number, whose Tasks are stored and answered. */
async function storedLink(number: number): Promise<GatewayLink> {
  const link = await gateway.link(number);
  const answer = (message: ToGateway) => {
    for (const reply of store.take(message)) link.send(reply);
  };
  for (const { message } of link.received) answer(message);
  link.socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (isBinary) answer(toGatewaySchema.parse(decodeFrame(data).head));
  });
  return link;
}

const presses = () => readFileSync(join(directory, "presses"), "utf8");
const press = (key: string) => ({ tool: "press_key", arguments: { key } });
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

test("a process that was killed in the middle of a Task repeats nothing; the Task has failed, and the next one is done", async () => {
  const first = start();
  const link = await storedLink(1);
  link.send(taskStart("t1", [press("home"), press("camera"), press("back")]));
  link.send(taskStart("t2", [press("menu")]));
  await waitFor(() => expect(presses()).toBe("home\ncamera\n"));
  await waitFor(() => expect(store.artifact("t1", "tool_calls")?.parts).toHaveLength(1));
  await waitFor(() => expect(store.task("t2").accepted).toBe(true));
  first.process.kill("SIGKILL");
  await first.ended;

  start();
  const next = await storedLink(2);
  expect(next.hello.heldTasks).toEqual(["t1", "t2"]);
  await waitFor(() => expect(store.task("t1").state).toBe("TASK_STATE_FAILED"));
  expect(store.text("t1")).toBe("The device agent restarted in the middle of this Task.");
  expect(store.artifact("t1", "tool_calls")?.parts).toHaveLength(1);
  await waitFor(() => expect(store.task("t2").state).toBe("TASK_STATE_COMPLETED"));
  expect(presses()).toBe("home\ncamera\nmenu\n");

  next.send(taskStart("t1", [press("home")]));
  next.send(taskStart("t3", [press("search")]));
  await waitFor(() => expect(store.task("t3").state).toBe("TASK_STATE_COMPLETED"));
  expect(presses()).toBe("home\ncamera\nmenu\nsearch\n");
});

test("SIGTERM lets the step run for a while, tells the end over the link that still stands, and ends with 0", async () => {
  const process = start();
  const link = await storedLink(1);
  link.send(taskStart("t1", [press("camera")]));
  await waitFor(() => expect(presses()).toBe("camera\n"));
  process.process.kill("SIGTERM");
  expect(await process.ended).toBe(0);
  await waitFor(() => expect(store.task("t1").state).toBe("TASK_STATE_FAILED"));
  expect(store.text("t1")).toBe("The device agent was stopped.");
  expect(link.closed).toEqual({ code: 1001 });
}, 30_000);

test("the phone's report names the Task that works on it", async () => {
  start();
  const link = await storedLink(1);
  link.send(taskStart("t1", [press("camera")]));
  const tasks = () =>
    link.received.flatMap(({ message }) =>
      message.type === "devices" ? message.devices.map((one) => one.runningTask) : [],
    );
  await waitFor(() => expect(tasks().at(-1)).toBe("t1"));
});
