import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bindings } from "../support/bindings.ts";
import { stranger, words } from "../support/start.ts";
import { clientOf, type House, openHouse } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

describe.each(bindings)("by $name", (binding) => {
  const client = () => clientOf(house, binding);

  test("GetTask tells how a Task stands [CORE-GET-001]", async () => {
    const sent = await client().send("text");
    expect(await client().get(sent.id)).toEqual(sent);
  });

  test.each(["GetTask", "CancelTask", "SubscribeToTask"])(
    "%s of a Task that never was is not found [CORE-GET-002] [CORE-CANCEL-003] [STREAM-SUB-004]",
    async (method) => {
      const { error } = await client().call(method, { id: "task_never" });
      expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" });
    },
  );

  test("a list has the caller's own Tasks only, and of others it says nothing [CORE-LIST-001] [AUTH-SCOPE-001] [AUTH-SCOPE-002] [AUTH-SCOPE-003]", async () => {
    const { id } = await client().send("complete");
    const foreign = { token: stranger.token };
    expect((await client().result("ListTasks", {}, foreign)).tasks).toEqual([]);
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"]) {
      const [known, unknown] = await Promise.all(
        [id, "task_never"].map(async (one) => (await client().call(method, { id: one }, foreign)).error),
      );
      expect(known).toEqual(unknown);
    }
  });

  test("a list is paged by a cursor, newest first, and its last page says so [CORE-LIST-002] [CORE-LIST-003] [CORE-LIST-004]", async () => {
    const contextId = `pages-${binding.name}`;
    for (let n = 0; n < 5; n++) await client().send("complete", { contextId });
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await client().result("ListTasks", { contextId, pageSize: 2, ...(pageToken ? { pageToken } : {}) });
      expect(page).toMatchObject({ pageSize: 2, totalSize: 5 });
      seen.push(...page.tasks.map((task: { status: { timestamp: string } }) => task.status.timestamp));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  test("a list leaves Artifacts out unless they are asked for [CORE-LIST-005]", async () => {
    const { contextId } = await client().send("text");
    const [without] = (await client().result("ListTasks", { contextId })).tasks;
    expect(without).not.toHaveProperty("artifacts");
    const [withThem] = (await client().result("ListTasks", { contextId, includeArtifacts: true })).tasks;
    expect(withThem.artifacts).toHaveLength(1);
  });

  test("CancelTask answers with the Task as it then is [CORE-CANCEL-001]", async () => {
    const { id } = await client().begin("slow");
    await client().inState(id, "TASK_STATE_WORKING");
    const task = await client().result("CancelTask", { id });
    expect(task).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
    expect((await client().result("CancelTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
  });

  test("a Task that is over cannot be canceled [CORE-CANCEL-002]", async () => {
    const { id } = await client().send("complete");
    expect((await client().call("CancelTask", { id })).error?.reason).toBe("TASK_NOT_CANCELABLE");
  });

  test("steps are done on the phone, and the result is the first Artifact's data", async () => {
    const parts = [{ data: { steps: [{ tool: "take_screenshot" }, { tool: "foreground_app" }] } }];
    const task = await client().send("", { parts });
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task.artifacts[0].parts[0].data).toMatchObject({ succeeded: 2, failed: 0, failed_tools: [] });
    expect(task.artifacts.some(({ artifactId }: { artifactId: string }) => artifactId === "picture-1")).toBe(true);
  });

  test("a Task that fails says why [CORE-ERR-001]", async () => {
    const task = await client().send("fail");
    expect(task.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: "I cannot do that: fail" }] },
    });
    const { error } = await client().call("SendMessage", { message: words("", { parts: [{ data: { steps: [] } }] }) });
    expect(error?.message).not.toBe("");
  });
});

test("both bindings tell the same Task in the same way [BIND-EQUIV-001] [BIND-EQUIV-002] [BIND-EQUIV-003]", async () => {
  const [rpc, http] = bindings.map((binding) => clientOf(house, binding));
  const sent = await rpc?.send("data");
  expect(await http?.get(sent.id)).toEqual(await rpc?.get(sent.id));
  const errors = await Promise.all(
    [rpc, http].map(async (one) => (await one?.call("GetTask", { id: "task_never" }))?.error),
  );
  expect(errors[0]?.reason).toBe(errors[1]?.reason);
  expect(errors[0]?.message).toBe(errors[1]?.message);
});
