import { afterEach, describe, expect, it } from "vitest";
import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { until } from "../support/ready.ts";
import { ownerToken, tokenFor } from "../support/start-test-gateway.ts";
import { bindings, opened } from "./support/bindings.ts";
import { type A2aGateway, startA2a, words } from "./support/start.ts";

let gateway: A2aGateway;
afterEach(() => gateway.stop());

const kindsOf = (frames: { item?: object }[]) => frames.map(({ item }) => Object.keys(item ?? {})[0]);
const result = { artifactId: "result", parts: [{ data: { ok: true } }] };

describe.each(bindings)("a stream by $name", (binding) => {
  const start = async (clock?: Clock) => {
    gateway = await startA2a(clock ? { clock } : {});
  };
  const begin = async () => {
    const params = { message: words("go"), configuration: { returnImmediately: true } };
    return (await binding.call(gateway.url, "SendMessage", params)).result.task.id as string;
  };
  const subscribe = (id: string, headers: Record<string, string> = {}) =>
    opened(binding, gateway.url, "SubscribeToTask", { id }, { headers });

  it("tells the Task, what changes it, and the whole Task at its end, each with its number", async () => {
    await start();
    const stream = await opened(binding, gateway.url, "SendStreamingMessage", { message: words("go") });
    const headers = Object.fromEntries(stream.headers);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    const first = await stream.next();
    expect(first).toMatchObject({ id: "1", item: { task: { status: { state: "TASK_STATE_SUBMITTED" } } } });
    const { id } = first?.item?.task ?? {};
    gateway.tasks.tell(id, "TASK_STATE_WORKING", "Looking");
    expect(await stream.next()).toMatchObject({ id: "2", item: { statusUpdate: { taskId: id } } });
    gateway.tasks.give(id, result);
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    const rest = await stream.rest();
    expect(rest.map(({ id }) => id)).toEqual(["3", "4", "4"]);
    expect(kindsOf(rest)).toEqual(["artifactUpdate", "statusUpdate", "task"]);
    expect(rest[0]?.item.artifactUpdate).toMatchObject({ artifact: result, append: false, lastChunk: true });
    expect(rest.at(-1)?.item.task).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" }, artifacts: [result] });
    expect(gateway.tasks.followers()).toBe(0);
  });

  it("ends when the Task asks something", async () => {
    await start();
    const id = await begin();
    const stream = await subscribe(id);
    gateway.tasks.tell(id, "TASK_STATE_INPUT_REQUIRED", "Which one?");
    expect(kindsOf(await stream.rest())).toEqual(["task", "statusUpdate", "task"]);
  });

  it("has in its Tasks as much history as was asked for", async () => {
    await start();
    const configuration = { historyLength: 0 };
    const stream = await opened(binding, gateway.url, "SendStreamingMessage", { message: words("go"), configuration });
    const { id, ...task } = (await stream.next())?.item?.task ?? {};
    expect(task).not.toHaveProperty("history");
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED", "Done");
    expect((await stream.rest()).at(-1)?.item.task).not.toHaveProperty("history");
  });

  it("goes on where a broken one was: nothing twice, nothing left out", async () => {
    await start();
    const id = await begin();
    const broken = await subscribe(id);
    gateway.tasks.tell(id, "TASK_STATE_WORKING", "one");
    await broken.next();
    const seen = await broken.next();
    await broken.events.close();
    gateway.tasks.give(id, result);
    const resumed = await subscribe(id, { "last-event-id": seen?.id ?? "" });
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    const frames = await resumed.rest();
    expect(frames.map(({ id }) => id)).toEqual(["2", "3", "4", "4"]);
    expect(frames[0]?.item.task).not.toHaveProperty("artifacts");
    expect(kindsOf(frames)).toEqual(["task", "artifactUpdate", "statusUpdate", "task"]);
  });

  it("gives the rest of a Task that ended meanwhile, and refuses once all of it was seen", async () => {
    await start();
    const id = await begin();
    gateway.tasks.tell(id, "TASK_STATE_WORKING");
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    const resumed = await subscribe(id, { "last-event-id": "1" });
    expect((await resumed.rest()).map(({ id }) => id)).toEqual(["1", "2", "3", "3"]);
    for (const headers of [{ "last-event-id": "3" }, {}] as Record<string, string>[]) {
      const refused = await binding.open(gateway.url, "SubscribeToTask", { id }, { headers });
      expect("error" in refused && refused.error?.reason).toBe("UNSUPPORTED_OPERATION");
    }
    await until(() => gateway.tasks.followers() === 0);
  });

  it("begins with the Task as it is when Last-Event-ID is no number of ours", async () => {
    await start();
    const id = await begin();
    gateway.tasks.tell(id, "TASK_STATE_WORKING");
    for (const told of ["abc", "-1", "1.5", "9".repeat(20)]) {
      const stream = await subscribe(id, { "last-event-id": told });
      expect((await stream.next())?.id).toBe("2");
      await stream.events.close();
    }
  });

  it("is heard of every 15 seconds, and not once its client is gone", async () => {
    const clock = createManualClock();
    await start(clock);
    const stream = await subscribe(await begin());
    await stream.next();
    for (let time = 0; time < 3; time++) {
      await clock.advance(14_999);
      await clock.advance(1);
      expect(await stream.events.nextBlock()).toMatchObject({ comment: "ping", data: null, id: null });
    }
    const timers = clock.waiting();
    await stream.events.close();
    await until(() => gateway.tasks.followers() === 0 && clock.waiting() < timers);
  });

  it("ends in an error when the token stops being good", async () => {
    const clock = createManualClock();
    const guest = tokenFor("guest", ["task:run"]);
    const { token } = guest;
    gateway = await startA2a({ clock, tokens: [guest] });
    const stream = await opened(binding, gateway.url, "SendStreamingMessage", { message: words("go") }, { token });
    await stream.next();
    guest.token = "another-token".padEnd(40, "x");
    await clock.advance(15_000);
    const last = (await stream.rest()).at(-1);
    expect(last?.error).toMatchObject({ reason: "UNAUTHENTICATED" });
    await until(() => gateway.tasks.followers() === 0);
  });

  it.each([
    [new CodedError("device_offline", "Away."), "DEVICE_OFFLINE"],
    [new CodedError("task_not_found", "Pruned."), "TASK_NOT_FOUND"],
    [new Error("the database said no"), "INTERNAL_ERROR"],
  ])("that breaks with %s says so, and is not taken for a clean end", async (thrown, reason) => {
    await start();
    const stream = await subscribe(await begin());
    await stream.next();
    gateway.tasks.breakStreams(thrown);
    const [last, ...more] = await stream.rest();
    expect(more).toEqual([]);
    expect(last).toMatchObject({ id: null, type: binding.name === "JSON-RPC" ? null : "error", error: { reason } });
    expect(JSON.stringify(last)).not.toContain("database");
  });

  it("ends in an error that says to come again when the gateway stops", async () => {
    await start();
    const stream = await subscribe(await begin());
    await stream.next();
    const stopped = gateway.stop();
    const [last, ...more] = await stream.rest();
    expect(more).toEqual([]);
    expect(last?.error).toMatchObject({ reason: "DEVICE_OFFLINE", retry: "2s" });
    expect(last?.error?.metadata.hint).toContain("Last-Event-ID");
    await stopped;
  });

  it("is one of several that all tell the same, whoever of them goes away", async () => {
    await start();
    const id = await begin();
    const streams = await Promise.all([subscribe(id), subscribe(id), subscribe(id)]);
    await streams[0]?.next();
    await streams[0]?.events.close();
    gateway.tasks.tell(id, "TASK_STATE_WORKING", "one");
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    const [second, third] = await Promise.all(streams.slice(1).map((stream) => stream.rest()));
    expect(second?.map(({ id }) => id)).toEqual(["1", "2", "3", "3"]);
    expect(third).toEqual(second);
  });

  it("keeps order and loses nothing for a client that reads slowly", async () => {
    await start();
    const id = await begin();
    const stream = await subscribe(id);
    const long = "x".repeat(20_000);
    for (let number = 0; number < 300; number++) gateway.tasks.tell(id, "TASK_STATE_WORKING", `${number} ${long}`);
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    const updates = (await stream.rest()).flatMap(({ item }) => (item.statusUpdate ? [item.statusUpdate] : []));
    const said = updates.map(({ status }) => status.message?.parts[0].text.split(" ")[0]);
    expect(said).toEqual([...Array.from({ length: 300 }, (_, number) => String(number)), undefined]);
  });
});

describe("SubscribeToTask by HTTP+JSON", () => {
  it("takes GET as well as POST", async () => {
    gateway = await startA2a();
    const [, httpJson] = bindings;
    const params = { message: words("go"), configuration: { returnImmediately: true } };
    const { id } = (await httpJson.call(gateway.url, "SendMessage", params)).result.task;
    const headers = { authorization: `Bearer ${ownerToken}`, "a2a-version": "1.0" };
    const response = await fetch(`${gateway.url}/a2a/rest/tasks/${id}:subscribe`, { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    expect((await response.text()).match(/^data: /gm)).toHaveLength(3);
  });
});
