import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createPostWebhook } from "../../../gateway/node/post-webhook.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(status: number, headers: Record<string, string> = {}) {
  const heard: { request: IncomingMessage; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    heard.push({ request, body });
    response.writeHead(status, headers).end("some answer");
  }).listen(0, "127.0.0.1");
  closing.push(() => server.close().closeAllConnections());
  await new Promise((resolve) => server.once("listening", resolve));
  return { heard, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const request = (url: string) => ({
  url,
  headers: { authorization: "Bearer abc", "content-type": "application/a2a+json" },
  body: '{"text":"你好"}',
  signal: new AbortController().signal,
});

test("a trusted origin gets the body and the headers, and its status comes back", async () => {
  const { heard, origin } = await listen(202);
  const post = createPostWebhook({ trustedOrigins: new Set([origin]) });
  expect(await post(request(`${origin}/hook`))).toBe(202);
  expect(heard).toHaveLength(1);
  expect(heard[0]?.body).toBe('{"text":"你好"}');
  expect(heard[0]?.request.headers).toMatchObject({ authorization: "Bearer abc" });
});

test("a redirect is not followed, since it could lead anywhere", async () => {
  const { heard: elsewhere, origin: other } = await listen(200);
  const { origin } = await listen(307, { location: `${other}/secret` });
  const post = createPostWebhook({ trustedOrigins: new Set([origin, other]) });
  expect(await post(request(`${origin}/hook`))).toBe(307);
  expect(elsewhere).toEqual([]);
});

test.each([
  ["a private address behind a public name", ["10.0.0.7"]],
  ["one private address among public ones", ["93.184.215.14", "169.254.169.254"]],
  ["loopback", ["127.0.0.1"]],
  ["loopback in IPv6", ["::1"]],
])("nothing is sent to %s", async (_, addresses) => {
  const { heard } = await listen(200);
  const post = createPostWebhook({ trustedOrigins: new Set(), resolve: async () => addresses });
  await expect(post(request("https://hooks.example/"))).rejects.toThrow("The webhook is not on the public internet.");
  expect(heard).toEqual([]);
});

test("plain http is refused unless the origin is trusted", async () => {
  const { heard, origin } = await listen(200);
  const post = createPostWebhook({ trustedOrigins: new Set() });
  await expect(post(request(`${origin}/hook`))).rejects.toThrow("Webhooks are called by https only.");
  expect(heard).toEqual([]);
});
