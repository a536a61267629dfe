import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FakeDeviceAgent } from "../support/fake-device-agent.ts";
import { connectReady } from "../support/ready.ts";
import { bindings } from "./support/bindings.ts";
import { type A2aGateway, startA2a, words } from "./support/start.ts";

let gateway: A2aGateway;
let deviceAgent: FakeDeviceAgent;
let devices: { id: string; name: string }[];
beforeAll(async () => {
  gateway = await startA2a();
  deviceAgent = await connectReady(gateway, { devices: [{ name: "Pixel" }, { key: "s2", name: "Über Phone/2" }] });
  const card = (await bindings[0].call(gateway.url, "GetExtendedAgentCard")).result;
  devices = card.capabilities.extensions[0].params.devices;
});
afterAll(async () => {
  deviceAgent.close();
  await gateway.stop();
});

const steps = [{ tool: "tap", arguments: { x: 1, y: 2 } }, { tool: "take_screenshot" }];

describe.each(bindings)("a message by $name", (binding) => {
  const send = (message: object, more: object = {}, options = {}) =>
    binding.call(gateway.url, "SendMessage", { message, configuration: { returnImmediately: true }, ...more }, options);
  const arrived = async (message: object, more: object = {}, options = {}) => {
    const { result } = await send(message, more, options);
    expect(result.task.id).toMatch(/./);
    return gateway.tasks.sent.at(-1)?.request;
  };

  it.each([
    ["without an id", { messageId: undefined }, ["message.messageId"]],
    ["with an empty id", { messageId: "" }, ["message.messageId"]],
    ["with too long an id", { messageId: "x".repeat(257) }, ["message.messageId"]],
    ["with too long a context id", { contextId: "x".repeat(257) }, ["message.contextId"]],
    ["without a role", { role: undefined }, ["message.role"]],
    ["of the agent's role", { role: "ROLE_AGENT" }, ["message.role"]],
    ["of an older spelling's role", { role: "user" }, ["message.role"]],
    ["without parts", { parts: undefined }, ["message.parts"]],
    ["with no part", { parts: [] }, ["message.parts"]],
    ["with a part that is empty", { parts: [{}] }, ["message.parts[0]"]],
    ["with a part of an older version", { parts: [{ kind: "text" }] }, ["message.parts[0]"]],
    ["with two contents in a part", { parts: [{ text: "a" }, { text: "a", url: "b" }] }, ["message.parts[1]"]],
    ["with base64 that is none", { parts: [{ text: "a" }, { raw: "%%%" }] }, ["message.parts[1].raw"]],
    ["with base64 cut off", { parts: [{ text: "a" }, { raw: "QUJDR" }] }, ["message.parts[1].raw"]],
    ["with a number for text", { parts: [{ text: 5 }] }, ["message.parts[0].text"]],
    ["with metadata that is no object", { metadata: [1] }, ["message.metadata"]],
    ["of an unknown skill", { metadata: { skill: "dance" } }, ["message.metadata.skill"]],
    ["of a device that is no name", { metadata: { device: 7 } }, ["message.metadata.device"]],
    ["that says nothing", { parts: [{ text: "" }] }, ["message.parts"]],
    ["of data alone, for chat", { parts: [{ data: { a: 1 } }] }, ["message.parts"]],
    ["of 8,193 bytes", { parts: [{ text: `${"é".repeat(4_096)}a` }] }, ["message.parts"]],
    [
      "of 8,193 bytes in two parts",
      { parts: [{ text: "a".repeat(8_000) }, { text: "a".repeat(192) }] },
      ["message.parts"],
    ],
    ["for steps, without any", { metadata: { skill: "steps" } }, ["message.parts"]],
    ["with no steps", { parts: [{ data: { steps: [] } }] }, ["message.parts[0].data.steps"]],
    ["with steps that are no list", { parts: [{ data: { steps: "tap" } }] }, ["message.parts[0].data.steps"]],
    [
      "with a step without a tool",
      { parts: [{ data: { steps: [{ tool: "a" }, {}] } }] },
      ["message.parts[0].data.steps[1].tool"],
    ],
    [
      "with arguments that are none",
      { parts: [{ data: { steps: [{ tool: "a", arguments: 1 }] } }] },
      ["message.parts[0].data.steps[0].arguments"],
    ],
    ["with steps twice", { parts: [{ data: { steps } }, { data: { steps } }] }, ["message.parts"]],
  ])("%s begins no Task", async (_, over, fields) => {
    const before = gateway.tasks.sent.length;
    const { error } = await send({ ...words("hello"), ...over });
    expect(error).toMatchObject({ reason: "INVALID_PARAMS", code: binding.name === "JSON-RPC" ? -32602 : 400, fields });
    expect(gateway.tasks.sent).toHaveLength(before);
  });

  it("may be as long as 8,192 bytes, line breaks between its parts counted", async () => {
    const parts = [{ text: "a".repeat(8_000) }, { text: "a".repeat(191) }];
    expect((await arrived(words("", { parts })))?.message.parts).toEqual(parts);
  });

  it("loses what is unknown, empty or null, and nothing else", async () => {
    const parts = [
      { text: "a", url: null, filename: "", kind: "text" },
      { data: null, metadata: { a: null, b: "" } },
    ];
    const message = words("", { parts, contextId: "", taskId: null, extensions: ["urn:x"], strange: 1 });
    const request = await arrived(message, { tenant: "", unknown: {} });
    expect(request?.message).toEqual({
      messageId: message.messageId,
      role: "ROLE_USER",
      parts: [{ text: "a" }, { data: null, metadata: { a: null, b: "" } }],
      extensions: ["urn:x"],
    });
  });

  it("carries an address as words, and bytes in either alphabet of base64", async () => {
    const parts = [{ url: "http://127.0.0.1:1/never-fetched" }, { raw: "-_-_YQ", mediaType: "image/png" }];
    const request = await arrived(words("", { parts }));
    expect(request?.message.parts).toEqual([parts[0], { raw: "+/+/YQ==", mediaType: "image/png" }]);
  });

  it.each([
    ["words", { parts: [{ text: "hi" }] }, "chat"],
    ["steps, without a word about the skill", { parts: [{ data: { steps } }] }, "steps"],
    ["steps and words beside them", { parts: [{ text: "do this" }, { data: { steps } }] }, "steps"],
    [
      "steps, and says chat",
      { parts: [{ text: "explain" }, { data: { steps } }], metadata: { skill: "chat" } },
      "chat",
    ],
    ["steps, and says steps", { parts: [{ data: { steps } }], metadata: { skill: "steps" } }, "steps"],
  ])("of %s goes to the right skill", async (_, over, skill) => {
    expect((await arrived({ ...words("x"), ...over }))?.skill).toBe(skill);
  });

  it("may name skill and device in the request's metadata too; its own counts more", async () => {
    const metadata = { skill: "chat", device: "Pixel" };
    expect(await arrived(words("x"), { metadata })).toMatchObject({ device: "Pixel" });
    const own = words("x", { metadata: { device: "Other" } });
    expect(await arrived(own, { metadata })).toMatchObject({ device: "Other" });
  });

  it("may answer a Task without words", async () => {
    const { id: taskId } = (await send(words("go"))).result.task;
    gateway.tasks.tell(taskId, "TASK_STATE_INPUT_REQUIRED");
    expect((await arrived(words("", { taskId, parts: [{ data: { yes: true } }] })))?.message.taskId).toBe(taskId);
  });

  it.each(["application/x-unheard-of", "video/mp4", "audio/ogg"])("with a part of %s is refused", async (mediaType) => {
    const { error } = await send(words("", { parts: [{ text: "look" }, { raw: "QUJD", mediaType }] }));
    expect(error).toMatchObject({ reason: "CONTENT_TYPE_NOT_SUPPORTED", metadata: { part: "1" } });
  });

  it.each([
    [["application/json"], true],
    [["text/*"], true],
    [["*/*"], true],
    [["video/mp4", "image/jpeg; q=1"], true],
    [[], true],
    [["video/mp4"], false],
    [["image/png", "text/html"], false],
  ])("whose client takes %j", async (acceptedOutputModes, fits) => {
    const { error } = await send(words("x"), { configuration: { returnImmediately: true, acceptedOutputModes } });
    expect(error?.reason).toBe(fits ? undefined : "CONTENT_TYPE_NOT_SUPPORTED");
  });

  describe("to a device's own address", () => {
    it("is for this device, by id or by name, in any case", async () => {
      const [pixel, other] = devices;
      expect(await arrived(words("x"), {}, { device: pixel?.id })).toMatchObject({ device: pixel?.id });
      expect(await arrived(words("x"), {}, { device: "pixel" })).toMatchObject({ device: pixel?.id });
      expect(await arrived(words("x"), {}, { device: "Über Phone/2" })).toMatchObject({ device: other?.id });
    });

    it("may name this device, and no other", async () => {
      const named = words("x", { metadata: { device: "PIXEL" } });
      expect(await arrived(named, {}, { device: "pixel" })).toMatchObject({ device: devices[0]?.id });
      const { error } = await send(words("x", { metadata: { device: devices[1]?.id } }), {}, { device: "pixel" });
      expect(error).toMatchObject({ reason: "INVALID_PARAMS", fields: ["message.metadata.device"] });
    });

    it("that there is not, or not for this caller, meets 404", async () => {
      const reply = await send(words("x"), {}, { device: "nobody" });
      expect([reply.status, reply.error?.reason]).toEqual([404, "DEVICE_NOT_FOUND"]);
    });
  });
});
