import { connectFakeDeviceAgent, type FakeDeviceAgent, type FakeDeviceAgentOptions } from "./fake-device-agent.ts";
import { legacyCall, postRaw } from "./rpc.ts";
import type { TestGateway } from "./start-test-gateway.ts";

/** What `list_devices` tells the owner, or the holder of `token`. */
export async function listedDevices(gateway: TestGateway, token?: string): Promise<Record<string, unknown>[]> {
  const { message } = await postRaw(gateway.mcp, legacyCall("list_devices"), token === undefined ? {} : { token });
  return message.result.structuredContent.devices;
}

/** Connects a fake device agent and waits until its devices can be called. */
export async function connectReady(
  gateway: TestGateway,
  options: Partial<FakeDeviceAgentOptions> = {},
): Promise<FakeDeviceAgent> {
  const devices = options.devices ?? [{}];
  const before = (await listedDevices(gateway)).filter(({ state }) => state === "device").length;
  const agent = await connectFakeDeviceAgent({ link: gateway.link, ...options, devices });
  await agent.next("welcome");
  await until(async () => {
    const ready = (await listedDevices(gateway)).filter(({ state }) => state === "device");
    return ready.length >= Math.max(before, devices.filter(({ state = "device" }) => state === "device").length);
  });
  return agent;
}

/** Polls until `condition` holds; a test's own timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
