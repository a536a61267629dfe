import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownerToken } from "../support/start-test-gateway.ts";
import { toldHttp } from "./support/bindings.ts";
import { listTasksResponse } from "./support/proto.ts";
import { type A2aGateway, startA2a, words } from "./support/start.ts";

let gateway: A2aGateway;
beforeAll(async () => {
  gateway = await startA2a();
});
afterAll(() => gateway.stop());

async function send(method: string, path: string, init: { body?: string; headers?: Record<string, string> } = {}) {
  const response = await fetch(`${gateway.url}/a2a/rest${path}`, {
    method,
    headers: { "a2a-version": "1.0", authorization: `Bearer ${ownerToken}`, ...init.headers },
    ...(init.body === undefined ? {} : { body: init.body }),
  });
  const text = await response.text();
  const value = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, value, error: value?.error ? toldHttp(value) : null };
}
const json = { "content-type": "application/json" };
const begin = async () => {
  const message = words("go");
  const body = JSON.stringify({ message, configuration: { returnImmediately: true } });
  return (await send("POST", "/message:send", { body, headers: json })).value.task;
};

describe("HTTP+JSON", () => {
  it("reads numbers, truth and times from the query", async () => {
    const query =
      "contextId=a%20b&pageSize=2&includeArtifacts=true&historyLength=0&statusTimestampAfter=2026-01-31T11:00:00%2B01:00";
    const { status, value } = await send("GET", `/tasks?${query}`);
    expect(status).toBe(200);
    listTasksResponse.parse(value);
    expect(gateway.tasks.listed.at(-1)).toEqual({
      contextId: "a b",
      pageSize: 2,
      includeArtifacts: true,
      historyLength: 0,
      statusAtFrom: Date.UTC(2026, 0, 31, 10),
    });
  });

  it.each([
    ["GET", "/nowhere", 404, null],
    ["GET", "", 404, null],
    ["GET", "/tasks/a/b", 404, null],
    ["GET", "/tasks//pushNotificationConfigs", 404, null],
    ["POST", "/tasks/%E0%A4%A", 404, null],
    ["GET", "/message:send", 405, "POST, OPTIONS"],
    ["DELETE", "/tasks", 405, "GET, OPTIONS"],
    ["PUT", "/tasks/x:subscribe", 405, "GET, POST, OPTIONS"],
  ])("%s %s is no method", async (method, path, status, allow) => {
    const answer = await send(method, path);
    expect([answer.status, answer.error?.reason]).toEqual([status, "METHOD_NOT_FOUND"]);
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it.each([
    ["no JSON", "{", "PARSE_ERROR"],
    ["a list", "[]", "INVALID_REQUEST"],
    ["a nest of 100 levels", `{"message":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`, "INVALID_REQUEST"],
    ["nothing", "", "INVALID_PARAMS"],
  ])("refuses a body that is %s", async (_, body, reason) => {
    const answer = await send("POST", "/message:send", { body, headers: json });
    expect([answer.status, answer.error?.reason, answer.error?.status]).toEqual([400, reason, "INVALID_ARGUMENT"]);
  });

  it("refuses a body of another media type, by the code of the specification's table", async () => {
    const answer = await send("POST", "/message:send", { body: "{}", headers: { "content-type": "text/plain" } });
    expect([answer.status, answer.error?.reason]).toEqual([400, "CONTENT_TYPE_NOT_SUPPORTED"]);
  });

  it("needs no body where there is nothing to say", async () => {
    const { id } = await begin();
    expect((await send("POST", `/tasks/${id}:cancel`)).value.status.state).toBe("TASK_STATE_CANCELED");
  });

  it("takes the path's word over the body's", async () => {
    const { id } = await begin();
    const body = JSON.stringify({ taskId: "other", url: "https://hooks.example/" });
    const { value } = await send("POST", `/tasks/${id}/pushNotificationConfigs`, { body, headers: json });
    expect(value.taskId).toBe(id);
  });

  it("takes verbs with their colon encoded, and a slash at the end", async () => {
    const { id } = await begin();
    expect((await send("GET", `/tasks/${id}/`)).value.id).toBe(id);
    expect((await send("POST", `/tasks/${id}%3Acancel`)).value.status.state).toBe("TASK_STATE_CANCELED");
  });

  it.each([
    [undefined, "application/a2a+json"],
    ["*/*", "application/a2a+json"],
    ["application/a2a+json, application/json", "application/a2a+json"],
    ["application/json", "application/json"],
    ["text/event-stream, application/json;q=0.9", "application/json"],
  ])("answers a client that accepts %s with %s, errors too", async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    expect((await send("GET", "/tasks", { headers })).headers.get("content-type")).toBe(type);
    expect((await send("GET", "/tasks/none", { headers })).headers.get("content-type")).toBe(type);
  });

  it("refuses a body over a megabyte", async () => {
    const body = JSON.stringify({ message: words("x") }).padEnd(1_000_001, " ");
    const answer = await send("POST", "/message:send", { body, headers: json });
    expect([answer.status, answer.error?.reason]).toEqual([413, "TOO_LARGE"]);
  });

  it("of a device that there is not is not there", async () => {
    const response = await fetch(`${gateway.url}/a2a/nobody/rest/tasks`, {
      headers: { "a2a-version": "1.0", authorization: `Bearer ${ownerToken}` },
    });
    expect([response.status, toldHttp(await response.json()).reason]).toEqual([404, "DEVICE_NOT_FOUND"]);
  });

  it("answers a browser's preflight, and lets its page read the version", async () => {
    const headers = { origin: gateway.url, "access-control-request-method": "DELETE" };
    const preflight = await fetch(`${gateway.url}/a2a/rest/tasks`, { method: "OPTIONS", headers });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("DELETE");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/A2A-Version.*A2A-Extensions/);
    const { headers: told } = await send("GET", "/tasks", { headers: { origin: gateway.url } });
    expect(told.get("access-control-expose-headers")).toContain("A2A-Version");
  });
});
