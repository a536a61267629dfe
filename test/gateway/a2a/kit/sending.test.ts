import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bindings } from "../support/bindings.ts";
import { words } from "../support/start.ts";
import { clientOf, type House, openHouse } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

describe.each(bindings)("by $name", (binding) => {
  const client = () => clientOf(house, binding);

  test("SendMessage answers with the Task [CORE-SEND-001] [DM-TASK-001] [DM-STATUS-001] [DM-TASK-002]", async () => {
    const task = await client().send("complete");
    expect(task).toMatchObject({ id: expect.any(String), contextId: expect.any(String) });
    expect(task.status).toMatchObject({ state: "TASK_STATE_COMPLETED", message: { role: "ROLE_AGENT" } });
  });

  test("a message to a Task that is over is refused [CORE-SEND-002]", async () => {
    const { id } = await client().send("complete");
    const { error } = await client().call("SendMessage", { message: words("more", { taskId: id }) });
    expect(error).toMatchObject({ reason: "UNSUPPORTED_OPERATION", domain: "a2a-protocol.org" });
  });

  test("a medium that nobody here understands is refused by its name [CORE-SEND-003]", async () => {
    const parts = [{ raw: "aGVsbG8=", mediaType: "application/x-unknown-to-all" }];
    const { error } = await client().call("SendMessage", { message: words("", { parts }) });
    expect(error?.reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
  });

  test("without more it waits for the end, or for a question [CORE-EXECUTION-MODE-001]", async () => {
    expect((await client().send("complete")).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await client().send("input")).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  test("returnImmediately answers before the Task is over [CORE-EXECUTION-MODE-002]", async () => {
    const task = await client().begin("input");
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(task.status.state);
    await client().inState(task.id, "TASK_STATE_INPUT_REQUIRED");
  });

  test("text, files, files by reference and data come as Parts with one content each [DM-ART-001] [DM-PART-001]", async () => {
    const [text, file, kept, data] = await Promise.all(
      ["text", "file", "file by reference", "data"].map(async (wish) => (await client().send(wish)).artifacts[0]),
    );
    expect(text).toMatchObject({ artifactId: "text", parts: [{ text: "Generated text content" }] });
    expect(file.parts).toEqual([{ raw: "aGVsbG8=", filename: "hello.txt", mediaType: "text/plain" }]);
    expect(kept.parts[0]).toMatchObject({
      url: expect.stringMatching(/^http.*\/files\/file_/),
      mediaType: "text/plain",
    });
    expect(data.parts).toEqual([{ data: { answer: 42, nested: { list: [1, "two", null] } } }]);
    expect((await fetch(kept.parts[0].url)).status).toBe(401);
  });

  test("a new Task has an id of ours and a context, given or made [CORE-MULTI-001] [CORE-MULTI-001a] [CORE-MULTI-002] [CORE-MULTI-003]", async () => {
    const contextId = `my-context-${binding.name}`;
    const [made, other, given] = [
      await client().send("complete"),
      await client().send("complete"),
      await client().send("complete", { contextId }),
    ];
    expect(new Set([made.id, other.id, given.id]).size).toBe(3);
    expect(made.contextId).not.toBe(other.contextId);
    expect(given.contextId).toBe(contextId);
  });

  test("a context id that is too long is refused [CORE-MULTI-002a]", async () => {
    const { error } = await client().call("SendMessage", {
      message: words("complete", { contextId: "c".repeat(300) }),
    });
    expect(error?.fields).toEqual(["message.contextId"]);
  });

  test("an unknown Task in a message is not found [CORE-MULTI-004]", async () => {
    const { error } = await client().call("SendMessage", { message: words("more", { taskId: "task_never" }) });
    expect(error?.reason).toBe("TASK_NOT_FOUND");
  });

  test("an answer needs only the Task's id, and goes on with it [CORE-MULTI-005] [CORE-HIST-005] [CORE-HIST-006]", async () => {
    const asked = await client().send("input");
    const task = await client().send("the second", { taskId: asked.id });
    expect(task).toMatchObject({ id: asked.id, contextId: asked.contextId, status: { state: "TASK_STATE_COMPLETED" } });
    expect(task.artifacts[0].parts[0].text).toBe("You said: the second");
    const said = task.history.map((message: { role: string; parts: { text?: string }[] }) => [
      message.role,
      message.parts[0]?.text,
    ]);
    expect(said[0]).toEqual(["ROLE_USER", "input"]);
    const question = said.findIndex(([, text]: [string, string]) => text === "Which one?");
    expect(said[question + 1]).toEqual(["ROLE_USER", "the second"]);
  });

  test("an answer with another context's id is refused [CORE-MULTI-006]", async () => {
    const asked = await client().send("input");
    const message = words("yes", { taskId: asked.id, contextId: "another" });
    expect((await client().call("SendMessage", { message })).error?.reason).toBe("INVALID_PARAMS");
  });

  test("a Task that waits for the owner says so in a Task, and goes on with the answer [AUTH-INTASK-001] [AUTH-INTASK-002] [AUTH-INTASK-003] [AUTH-INTASK-006]", async () => {
    const asked = await client().send("auth");
    expect(asked.status).toMatchObject({
      state: "TASK_STATE_AUTH_REQUIRED",
      message: { role: "ROLE_AGENT", parts: [{ text: "The owner has to unlock the phone." }] },
    });
    const task = await client().send("it is unlocked", { taskId: asked.id });
    expect(task.artifacts[0].parts[0].text).toBe("Then: it is unlocked");
  });

  test("history is as long as asked for, and absent when none is [CORE-HIST-001] [CORE-HIST-002] [CORE-HIST-003] [CORE-HIST-004]", async () => {
    const asked = await client().send("input");
    await client().send("x", { taskId: asked.id });
    expect((await client().get(asked.id)).history.length).toBeGreaterThanOrEqual(3);
    expect((await client().get(asked.id, { historyLength: 2 })).history).toHaveLength(2);
    expect(await client().get(asked.id, { historyLength: 0 })).not.toHaveProperty("history");
    expect(await client().send("complete", {}, { historyLength: 0 })).not.toHaveProperty("history");
  });

  test("names are camelCase, enums spelled out, times in UTC [DM-SERIAL-001] [DM-SERIAL-002] [DM-SERIAL-003] [DM-MSG-001] [DM-MSG-002]", async () => {
    const text = JSON.stringify(await client().send("text"));
    expect(text).not.toMatch(/"[a-z]+_[a-z_]+":/);
    expect(text).toMatch(/"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
    expect(text).toContain('"role":"ROLE_USER"');
  });

  test("what is required must be there, what is unknown is ignored [DM-SERIAL-004] [DM-SERIAL-005] [CORE-ERR-002]", async () => {
    const { messageId: _, ...nameless } = words("complete");
    expect((await client().call("SendMessage", { message: nameless })).error?.fields).toEqual(["message.messageId"]);
    const known = words("complete", { fromTheFuture: { a: 1 } });
    expect((await client().result("SendMessage", { message: known, alsoUnknown: 1 })).task.status.state).toBe(
      "TASK_STATE_COMPLETED",
    );
  });
});
