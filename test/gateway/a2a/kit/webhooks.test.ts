import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../support/ready.ts";
import { bindings } from "../support/bindings.ts";
import { streamResponse } from "../support/proto.ts";
import { clientOf, type House, openHouse } from "./house.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into what webhooks heard, in many shapes
const heard: { path: string; headers: IncomingHttpHeaders; body: any }[] = [];
let server: Server;
let origin: string;
let house: House;
/** Paths that answer 503 so often before they take something. */
const busy = new Map<string, number>();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url ?? "";
    const left = busy.get(path) ?? 0;
    busy.set(path, left - 1);
    if (left > 0) return response.writeHead(503).end();
    heard.push({ path, headers: request.headers, body: JSON.parse(text) });
    return response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  house = await openHouse({ webhookOrigins: origin });
});
afterAll(async () => {
  await house.close();
  server.close().closeAllConnections();
});

describe.each(bindings)("by $name", (binding) => {
  const client = () => clientOf(house, binding);
  const at = (path: string) => heard.filter((one) => one.path === path);
  const statesAt = (path: string) => at(path).flatMap(({ body }) => body.statusUpdate?.status.state ?? []);

  test("a webhook that came with the message hears of each event in order, with its token and credentials [PUSH-DELIVER-001] [PUSH-DELIVER-002] [PUSH-DELIVER-003]", async () => {
    const path = `/with-${binding.name}`;
    const taskPushNotificationConfig = {
      url: `${origin}${path}`,
      token: "opaque-token",
      authentication: { scheme: "Bearer", credentials: "webhook-credential" },
    };
    const task = await client().send("chunks", {}, { taskPushNotificationConfig });
    await until(() => statesAt(path).includes("TASK_STATE_COMPLETED"));
    const all = at(path);
    for (const { headers, body } of all) {
      expect(headers).toMatchObject({
        "content-type": "application/a2a+json",
        "x-a2a-notification-token": "opaque-token",
        authorization: "Bearer webhook-credential",
      });
      streamResponse.parse(body);
      expect((body.statusUpdate ?? body.artifactUpdate).taskId).toBe(task.id);
    }
    const chunks = all.flatMap(({ body }) => body.artifactUpdate?.artifact.parts[0].text ?? []);
    expect(chunks).toEqual(["one ", "two ", "three"]);
    expect(statesAt(path).at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  test("one that is busy for a moment is told again, and nothing overtakes it", async () => {
    const path = `/busy-${binding.name}`;
    busy.set(path, 2);
    await client().send("chunks", {}, { taskPushNotificationConfig: { url: `${origin}${path}` } });
    await until(() => statesAt(path).includes("TASK_STATE_COMPLETED"));
    expect(at(path).flatMap(({ body }) => body.artifactUpdate?.artifact.parts[0].text ?? [])).toEqual([
      "one ",
      "two ",
      "three",
    ]);
  }, 30_000);

  test("configurations are made, read, listed and deleted, twice without harm [PUSH-CREATE-001] [PUSH-CREATE-002] [PUSH-GET-001] [PUSH-GET-002] [PUSH-LIST-001] [PUSH-DEL-001] [PUSH-DEL-002]", async () => {
    const { id: taskId } = await client().send("input");
    const made = await client().result("CreateTaskPushNotificationConfig", { taskId, url: `${origin}/made` });
    expect(made).toMatchObject({ taskId, url: `${origin}/made`, id: expect.any(String) });
    const one = { taskId, id: made.id };
    expect(await client().result("GetTaskPushNotificationConfig", one)).toEqual(made);
    expect((await client().result("ListTaskPushNotificationConfigs", { taskId })).configs).toEqual([made]);
    await client().result("DeleteTaskPushNotificationConfig", one);
    await client().result("DeleteTaskPushNotificationConfig", one);
    expect((await client().call("GetTaskPushNotificationConfig", one)).error?.reason).toBe("TASK_NOT_FOUND");
    expect((await client().result("ListTaskPushNotificationConfigs", { taskId })).configs).toEqual([]);
  });

  test.each([
    "http://hooks.example/",
    "https://169.254.169.254/latest",
    "https://127.0.0.1/",
    "https://u:p@hooks.example/",
  ])("a webhook at %s is refused, and no Task is left behind", async (url) => {
    const before = (await client().result("ListTasks")).totalSize;
    const message = { messageId: `refused-${binding.name}-${url}`, role: "ROLE_USER", parts: [{ text: "complete" }] };
    const configuration = { taskPushNotificationConfig: { url } };
    expect((await client().call("SendMessage", { message, configuration })).error?.reason).toBe("INVALID_PARAMS");
    expect((await client().result("ListTasks")).totalSize).toBe(before);
  });
});
