import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Principal } from "../../../gateway/auth/principal.ts";
import { limits } from "../../../shared/limits.ts";
import type { Message } from "../../../shared/tasks/message.ts";
import { status, userMessage } from "../store/support/task-entries.ts";
import { device, openStoreBench, principal, type Started, type StoreBench } from "./support/store-bench.ts";

let bench: StoreBench;
let gateway: Started;
const stranger = principal({ tenant: "t2" });

beforeEach(async () => {
  bench = await openStoreBench();
  gateway = await bench.start([
    device("dev_1"),
    device("dev_2"),
    device("dev_3", { deviceAgentId: "da_2" }),
    device("dev_4", { tenant: "t2", deviceAgentId: "da_4" }),
  ]);
});
afterEach(() => bench.remove());

const send = (who: Principal, message: Partial<Message>, wanted?: string, skill = "chat") =>
  gateway.service.send(who, { message: { ...userMessage("m1"), ...message }, skill, device: wanted });
const asks = async (taskId: string) => gateway.tell(taskId, 1, status("TASK_STATE_INPUT_REQUIRED", "which?"));
const list = async (who: Principal) => {
  const { tasks, totalSize } = await gateway.service.list(who, { pageSize: 50, includeArtifacts: true });
  expect(totalSize).toBe(tasks.length);
  return tasks.map(({ id }) => id);
};
const told = (work: Promise<unknown>) =>
  work.then(
    () => "nothing",
    ({ code, message }) => `${code}: ${message}`,
  );

describe("two tenants", () => {
  it("use the same ids and never meet", async () => {
    const mine = await send(principal(), { contextId: "same" }, "dev_1");
    const theirs = await send(stranger, { contextId: "same" });
    expect(theirs.id).not.toBe(mine.id);
    expect([mine.metadata?.device, theirs.metadata?.device]).toEqual(["dev_1", "dev_4"]);
    expect([await list(principal()), await list(stranger)]).toEqual([[mine.id], [theirs.id]]);
  });

  it("cannot read, cancel, follow, answer or watch each other's, and learn nothing from the refusal", async () => {
    const { id } = await send(principal(), {}, "dev_1");
    await asks(id);
    const { service } = gateway;
    const tries: ((taskId: string) => Promise<unknown>)[] = [
      (taskId) => service.get(stranger, taskId),
      (taskId) => service.settled(stranger, taskId, { waitMs: 0 }),
      (taskId) => service.cancel(stranger, taskId, 0),
      (taskId) => send(stranger, { messageId: "m2", taskId }),
      (taskId) => service.pushConfigs(stranger, taskId),
      (taskId) =>
        service.savePushConfig(stranger, {
          id: "p",
          taskId,
          url: "https://x/",
          token: null,
          scheme: null,
          credentials: null,
        }),
      (taskId) => service.deletePushConfig(stranger, taskId, "p"),
      async (taskId) => {
        const options = { requireOpen: false, signal: new AbortController().signal };
        for await (const _ of service.follow(stranger, taskId, options)) return;
      },
    ];
    for (const attempt of tries) {
      expect(await told(attempt(id))).toBe("task_not_found: There is no such Task.");
      expect(await told(attempt("task_never"))).toBe("task_not_found: There is no such Task.");
    }
    expect((await service.get(principal(), id)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  it("have phones of their own: another's is none", async () => {
    expect(await told(send(stranger, {}, "dev_1"))).toContain("device_not_found");
    expect(await told(send(principal(), {}, "dev_4"))).toContain("device_not_found");
    expect(await list(stranger)).toEqual([]);
  });
});

describe("a token for one phone only", () => {
  const narrow = principal({ devices: ["dev_2"] });

  it("begins Tasks there and nowhere else", async () => {
    expect((await send(narrow, {})).metadata?.device).toBe("dev_2");
    expect(await told(send(narrow, { messageId: "m2" }, "dev_1"))).toContain("device_not_found");
  });

  it("sees none of the same subject's Tasks on another phone, and answers none", async () => {
    const elsewhere = await send(principal(), {}, "dev_1");
    const here = await send(principal(), { messageId: "m2" }, "dev_2");
    await asks(elsewhere.id);
    expect(await list(narrow)).toEqual([here.id]);
    expect(await told(gateway.service.get(narrow, elsewhere.id))).toContain("task_not_found");
    expect(await told(send(narrow, { messageId: "m3", taskId: elsewhere.id }))).toContain("task_not_found");
    expect((await gateway.service.get(narrow, here.id)).id).toBe(here.id);
  });
});

describe("a context", () => {
  it("goes on with its phone, or with another one of the same device agent", async () => {
    const { contextId } = await send(principal(), {}, "dev_2");
    expect((await send(principal(), { messageId: "m2", contextId })).metadata?.device).toBe("dev_2");
    expect((await send(principal(), { messageId: "m3", contextId }, "dev_1")).metadata?.device).toBe("dev_1");
    expect(await told(send(principal(), { messageId: "m4", contextId }, "dev_3"))).toContain("another device agent");
  });

  it("of a client's own making is kept, and none is made twice", async () => {
    expect((await send(principal(), { contextId: "mine" }, "dev_1")).contextId).toBe("mine");
    const made = [
      await send(principal(), { messageId: "m2" }, "dev_1"),
      await send(principal(), { messageId: "m3" }, "dev_1"),
    ];
    expect(new Set(made.map(({ contextId }) => contextId)).size).toBe(2);
  });
});

describe("an answer to what a Task asked", () => {
  it("has to name the Task's own context, or none", async () => {
    const { id, contextId } = await send(principal(), {}, "dev_1");
    await asks(id);
    expect(await told(send(principal(), { messageId: "m2", taskId: id, contextId: "else" }))).toContain("contextId");
    await send(principal(), { messageId: "m3", taskId: id, contextId });
    expect(gateway.sent.at(-1)).toMatchObject({ type: "task_message", taskId: id, message: { messageId: "m3" } });
  });

  it("is taken once, is no other text the second time, and is not taken unasked", async () => {
    const { id } = await send(principal(), {}, "dev_1");
    expect(await told(send(principal(), { messageId: "m0", taskId: id }))).toContain("task_closed");
    await asks(id);
    const answer = { messageId: "m2", taskId: id };
    const all = await Promise.all(Array.from({ length: 20 }, () => send(principal(), answer)));
    expect(all.every((task) => task.id === id)).toBe(true);
    expect((await gateway.service.get(principal(), id)).history).toHaveLength(3);
    expect(await told(send(principal(), { ...answer, parts: [{ text: "else" }] }))).toContain("another message");
    expect(await told(send(principal(), { ...answer, messageId: "m3" }))).toContain("task_closed");
  });

  it("is no longer than a message may be", async () => {
    const { id } = await send(principal(), {}, "dev_1");
    await asks(id);
    const parts = [{ text: "ä".repeat(limits.messageTextBytes / 2 + 1) }];
    expect(await told(send(principal(), { messageId: "m2", taskId: id, parts }))).toContain("0 to 8192 bytes");
  });
});

describe("a message", () => {
  it.each([
    ["no words", { parts: [{ text: "" }] }, "1 to 8192 bytes"],
    ["too many words", { parts: [{ text: "a".repeat(8_193) }] }, "this one has 8193"],
    ["an id that is too long", { messageId: "ä".repeat(129) }, "messageId must have 1 to 256 bytes"],
    ["a context that is too long", { contextId: "a".repeat(257) }, "contextId must have 1 to 256 bytes"],
  ])("with %s begins nothing", async (_, message, why) => {
    expect(await told(send(principal(), message, "dev_1"))).toContain(why);
    expect(await list(principal())).toEqual([]);
    expect(gateway.sent).toEqual([]);
  });

  it("at its limits begins a Task", async () => {
    const message = { messageId: "ä".repeat(128), parts: [{ text: "ä".repeat(4_096) }] };
    expect((await send(principal(), message, "dev_1")).status.state).toBe("TASK_STATE_SUBMITTED");
  });

  it("whose steps would type a token of the gateway is refused, since a Task keeps none and would type something else", async () => {
    const typing = (text: string) => ({
      parts: [{ data: { steps: [{ tool: "type_text", arguments: { text } }] } }],
    });
    const refused = await told(send(principal(), typing(`my ${gateway.secrets[0]}`), "dev_1", "steps"));
    expect(refused).toContain("a token of this gateway");
    expect(await list(principal())).toEqual([]);
    expect((await send(principal(), typing("Bearer abcdefghijklmnopqrst"), "dev_1", "steps")).id).toMatch(/^task_/);
  });

  it("needs task:run", async () => {
    expect(await told(send(principal({ scopes: ["screen:read"] }), {}, "dev_1"))).toContain("permission_denied");
  });
});
