import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodedError } from "../../../shared/errors.ts";
import { until } from "../support/ready.ts";
import { bindings } from "./support/bindings.ts";
import { type A2aGateway, onlooker, startA2a, stranger, words } from "./support/start.ts";

let gateway: A2aGateway;
beforeAll(async () => {
  gateway = await startA2a();
});
afterAll(() => gateway.stop());

/** What a failure is on each binding: JSON-RPC's number and its HTTP status, HTTP+JSON's status and google.rpc's word. */
const expected = {
  TASK_NOT_FOUND: { rpc: -32001, http: 404, status: "NOT_FOUND" },
  TASK_NOT_CANCELABLE: { rpc: -32002, http: 400, status: "FAILED_PRECONDITION" },
  UNSUPPORTED_OPERATION: { rpc: -32004, http: 400, status: "FAILED_PRECONDITION" },
  CONTENT_TYPE_NOT_SUPPORTED: { rpc: -32005, http: 400, status: "INVALID_ARGUMENT" },
  INVALID_PARAMS: { rpc: -32602, http: 400, status: "INVALID_ARGUMENT" },
};

describe.each(bindings)("Tasks by $name", (binding) => {
  const call = (method: string, params: object = {}, options = {}) =>
    binding.call(gateway.url, method, params, options);
  const begin = async (configuration: object = { returnImmediately: true }) =>
    (await call("SendMessage", { message: words("open notes"), configuration })).result.task;
  const refusedAs = async (reply: ReturnType<typeof call>, reason: keyof typeof expected) => {
    const { status, error } = await reply;
    const { rpc, http, status: word } = expected[reason];
    const isRpc = binding.name === "JSON-RPC";
    expect(error).toMatchObject({ reason, domain: "a2a-protocol.org", code: isRpc ? rpc : http });
    expect(status).toBe(isRpc ? 200 : http);
    if (!isRpc) expect(error?.status).toBe(word);
    return error;
  };

  it("begin with a message, which comes to the service as it was sent", async () => {
    const message = words("open notes", { contextId: "c-1", metadata: { device: "Pixel", other: [1] } });
    const { result } = await call("SendMessage", { message, configuration: { returnImmediately: true } });
    expect(result.task).toMatchObject({ contextId: "c-1", status: { state: "TASK_STATE_SUBMITTED" } });
    const { principal, request } = gateway.tasks.sent.at(-1) ?? {};
    expect(principal).toMatchObject({ tenant: "default", subject: "owner" });
    expect(request).toEqual({ message, skill: "chat", device: "Pixel" });
  });

  it("are waited for until they end, and a Task that asks is an end too", async () => {
    for (const state of ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_INPUT_REQUIRED"] as const) {
      const before = gateway.tasks.sent.length;
      const reply = call("SendMessage", { message: words("go") });
      await until(() => gateway.tasks.sent.length > before);
      const { result } = await call("ListTasks", { pageSize: 100 });
      const { id } = result.tasks.at(-1);
      gateway.tasks.tell(id, "TASK_STATE_WORKING");
      gateway.tasks.tell(id, state, "so it is");
      expect((await reply).result.task).toMatchObject({ id, status: { state } });
    }
  });

  it("go on when the connection that began them is cut", async () => {
    const gone = new AbortController();
    const before = gateway.tasks.sent.length;
    const reply = call("SendMessage", { message: words("go") }, { signal: gone.signal }).catch(() => "cut");
    await until(() => gateway.tasks.sent.length > before);
    gone.abort();
    expect(await reply).toBe("cut");
    const { id } = (await call("ListTasks", { pageSize: 100 })).result.tasks.at(-1);
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    expect((await call("GetTask", { id })).result.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("are told with as much history as was asked for", async () => {
    const { id, history } = await begin();
    expect(history).toHaveLength(1);
    gateway.tasks.tell(id, "TASK_STATE_WORKING", "one");
    gateway.tasks.tell(id, "TASK_STATE_WORKING", "two");
    expect((await call("GetTask", { id })).result.history).toHaveLength(3);
    const newest = (await call("GetTask", { id, historyLength: 1 })).result.history;
    expect(newest).toMatchObject([{ parts: [{ text: "two" }] }]);
    expect((await call("GetTask", { id, historyLength: 0 })).result).not.toHaveProperty("history");
    expect(await begin({ returnImmediately: true, historyLength: 0 })).not.toHaveProperty("history");
  });

  it("are listed by what was asked for, fifty at a time if nothing was said", async () => {
    await begin();
    const { result } = await call("ListTasks");
    expect(result).toMatchObject({ nextPageToken: "", pageSize: 50 });
    expect(gateway.tasks.listed.at(-1)).toEqual({ pageSize: 50, includeArtifacts: false });
    await call("ListTasks", {
      contextId: "c-1",
      status: "TASK_STATE_WORKING",
      pageSize: 2,
      pageToken: "next",
      historyLength: 0,
      statusTimestampAfter: "2026-01-31T10:00:00.5Z",
      includeArtifacts: true,
    });
    expect(gateway.tasks.listed.at(-1)).toEqual({
      contextId: "c-1",
      state: "TASK_STATE_WORKING",
      pageSize: 2,
      pageToken: "next",
      historyLength: 0,
      statusAtFrom: Date.UTC(2026, 0, 31, 10, 0, 0, 500),
      includeArtifacts: true,
    });
  });

  it("are canceled, a second time with the same answer, and not once they ended otherwise", async () => {
    const { id } = await begin();
    expect((await call("CancelTask", { id })).result.status.state).toBe("TASK_STATE_CANCELED");
    expect((await call("CancelTask", { id, metadata: { why: "x" } })).result.status.state).toBe("TASK_STATE_CANCELED");
    const other = await begin();
    gateway.tasks.tell(other.id, "TASK_STATE_COMPLETED");
    await refusedAs(call("CancelTask", { id: other.id }), "TASK_NOT_CANCELABLE");
  });

  it("take no message and no subscriber once they are over", async () => {
    const { id } = await begin();
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    await refusedAs(call("SendMessage", { message: words("more", { taskId: id }) }), "UNSUPPORTED_OPERATION");
    await refusedAs(call("SendStreamingMessage", { message: words("more", { taskId: id }) }), "UNSUPPORTED_OPERATION");
    await refusedAs(call("SubscribeToTask", { id }), "UNSUPPORTED_OPERATION");
  });

  it("of somebody else are not there, exactly as those that never were", async () => {
    const { id } = await begin();
    const asking = { token: stranger.token };
    for (const [method, params] of [
      ["GetTask", { id }],
      ["CancelTask", { id }],
      ["SubscribeToTask", { id }],
      ["SendMessage", { message: words("more", { taskId: id }) }],
      ["ListTaskPushNotificationConfigs", { taskId: id }],
      ["GetTaskPushNotificationConfig", { taskId: id, id: "x" }],
      ["DeleteTaskPushNotificationConfig", { taskId: id, id: "x" }],
      ["CreateTaskPushNotificationConfig", { taskId: id, url: "https://hooks.example/x" }],
    ] as const) {
      const foreign = await refusedAs(call(method, params, asking), "TASK_NOT_FOUND");
      const unknown = await refusedAs(
        call(method, JSON.parse(JSON.stringify(params).replaceAll(id, "never")), asking),
        "TASK_NOT_FOUND",
      );
      expect(foreign).toEqual(unknown);
    }
    expect((await call("ListTasks", {}, asking)).result).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it("have webhooks: made, read, listed, deleted twice", async () => {
    const { id: taskId } = await begin();
    const hook = {
      url: "https://hooks.example/a?b=c",
      token: "t 1",
      authentication: { scheme: "Bearer", credentials: "s" },
    };
    const made = (await call("CreateTaskPushNotificationConfig", { taskId, ...hook })).result;
    expect(made).toMatchObject({ taskId, ...hook });
    const { id } = made;
    await call("CreateTaskPushNotificationConfig", { taskId, id: "mine", url: "https://hooks.example/2" });
    expect((await call("GetTaskPushNotificationConfig", { taskId, id })).result).toEqual(made);
    const { configs, nextPageToken } = (await call("ListTaskPushNotificationConfigs", { taskId, pageSize: 9 })).result;
    expect([configs.map((config: { id: string }) => config.id), nextPageToken]).toEqual([[id, "mine"], ""]);
    for (let time = 0; time < 2; time++) {
      expect((await call("DeleteTaskPushNotificationConfig", { taskId, id })).result).toEqual({});
    }
    await refusedAs(call("GetTaskPushNotificationConfig", { taskId, id }), "TASK_NOT_FOUND");
  });

  it("take a webhook along with the message that begins them", async () => {
    const taskPushNotificationConfig = { url: "https://hooks.example/b", taskId: "", id: "h" };
    const { id: taskId } = await begin({ returnImmediately: true, taskPushNotificationConfig });
    const { configs } = (await call("ListTaskPushNotificationConfigs", { taskId })).result;
    expect(configs).toEqual([{ id: "h", taskId, url: "https://hooks.example/b" }]);
  });

  it.each([
    ["ListTasks", { pageSize: 0 }, "pageSize"],
    ["ListTasks", { pageSize: 101 }, "pageSize"],
    ["ListTasks", { pageSize: 1.5 }, "pageSize"],
    ["ListTasks", { historyLength: -5 }, "historyLength"],
    ["ListTasks", { status: "TASK_STATE_RUNNING" }, "status"],
    ["ListTasks", { status: "completed" }, "status"],
    ["ListTasks", { statusTimestampAfter: "yesterday" }, "statusTimestampAfter"],
    ["ListTasks", { includeArtifacts: "maybe" }, "includeArtifacts"],
    ["GetTask", { id: "x", historyLength: -1 }, "historyLength"],
    ["GetTask", { id: "x", historyLength: 3_000_000_000 }, "historyLength"],
    ["GetTask", { id: "é".repeat(129) }, "id"],
    ["GetTask", { id: "a\u0000b" }, "id"],
    ["CreateTaskPushNotificationConfig", { taskId: "x" }, "url"],
    ["CreateTaskPushNotificationConfig", { taskId: "x", url: "ftp://hooks.example/" }, "url"],
    ["CreateTaskPushNotificationConfig", { taskId: "x", url: "/relative" }, "url"],
    ["CreateTaskPushNotificationConfig", { taskId: "x", url: "https://u:p@hooks.example/" }, "url"],
    ["CreateTaskPushNotificationConfig", { taskId: "x", url: "https://h.example", token: "a\r\nb" }, "token"],
    [
      "CreateTaskPushNotificationConfig",
      { taskId: "x", url: "https://h.example", authentication: { scheme: "Bearer x" } },
      "authentication.scheme",
    ],
  ])("refuse %s of %j and name the field", async (method, params, field) => {
    expect(await refusedAs(call(method, params), "INVALID_PARAMS")).toMatchObject({ fields: [field] });
  });

  it("name every field at fault at once", async () => {
    const error = await refusedAs(
      call("ListTasks", { pageSize: 150, historyLength: -5, status: "x" }),
      "INVALID_PARAMS",
    );
    expect(error?.fields.sort()).toEqual(["historyLength", "pageSize", "status"]);
  });

  it("are out of reach without task:run, which the challenge names", async () => {
    for (const [method, params] of [
      ["SendMessage", { message: words("x") }],
      ["SendStreamingMessage", { message: words("x") }],
      ["ListTasks", {}],
      ["GetTask", { id: "x" }],
      ["DeleteTaskPushNotificationConfig", { taskId: "x", id: "y" }],
    ] as const) {
      const { status, headers, error } = await call(method, params, { token: onlooker.token });
      expect([status, error?.reason]).toEqual([403, "PERMISSION_DENIED"]);
      expect(headers.get("www-authenticate")).toMatch(/^Bearer error="insufficient_scope".*scope="task:run"$/);
    }
  });

  it.each([
    ["no token", { token: null }, "Bearer"],
    ["a wrong token", { token: "w".repeat(40) }, 'Bearer error="invalid_token"'],
    ["another scheme", { token: null, headers: { authorization: "Basic abc" } }, 'Bearer error="invalid_token"'],
  ])("are out of reach with %s", async (_, options, challenge) => {
    const { status, headers, error } = await call("ListTasks", {}, options);
    expect([status, error?.reason, error?.domain]).toEqual([401, "UNAUTHENTICATED", "farhand"]);
    expect(headers.get("www-authenticate")).toMatch(new RegExp(`^${challenge}`));
  });

  it.each([
    ["device_offline", -32603, 503, "UNAVAILABLE"],
    ["rate_limited", -32603, 429, "RESOURCE_EXHAUSTED"],
    ["device_not_found", -32602, 404, "NOT_FOUND"],
  ] as const)("pass on %s with when to come again", async (code, rpc, http, status) => {
    gateway.tasks.failNext(new CodedError(code, "Not now.", { retryAfterMs: 2_500 }));
    const reply = await call("SendMessage", { message: words("x") });
    const isRpc = binding.name === "JSON-RPC";
    expect(reply.status).toBe(isRpc ? 200 : http);
    expect(reply.error).toMatchObject({ code: isRpc ? rpc : http, reason: code.toUpperCase(), retry: "2.5s" });
    if (!isRpc) expect([reply.error?.status, reply.headers.get("retry-after")]).toEqual([status, "3"]);
  });

  it("tell a fault of ours by its id alone, under which the log has it", async () => {
    gateway.tasks.failNext(new Error("secret of the database"));
    const { error } = await call("GetTask", { id: "x" });
    expect(error?.reason).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(error)).not.toContain("secret");
    const [, id = "none"] = /error id ([\w-]+)/.exec(error?.message ?? "") ?? [];
    expect(gateway.logged.some((line) => line.includes(id) && line.includes("secret of the database"))).toBe(true);
  });
});

describe.each(bindings)("waiting by $name", (binding) => {
  it("ends after the time that is configured, with the Task as it is", async () => {
    const impatient = await startA2a({ flags: { sendWait: "1" } });
    try {
      // The fake waits for no longer than a moment only when it is told so.
      const { settled } = impatient.tasks;
      const asked: number[] = [];
      impatient.tasks.settled = (principal, id, options) => {
        asked.push(options.waitMs);
        return settled(principal, id, { ...options, waitMs: 1 });
      };
      const { result } = await binding.call(impatient.url, "SendMessage", { message: words("long work") });
      expect(result.task.status.state).toBe("TASK_STATE_SUBMITTED");
      expect(asked).toEqual([1_000]);
    } finally {
      await impatient.stop();
    }
  });

  it("ends with the Task as it is when the gateway stops", async () => {
    const stopping = await startA2a();
    const reply = binding.call(stopping.url, "SendMessage", { message: words("long work") });
    await until(() => stopping.tasks.sent.length > 0);
    await stopping.stop();
    expect((await reply).result.task.status.state).toBe("TASK_STATE_SUBMITTED");
  });
});
