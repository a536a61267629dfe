import { createStepsExecutor } from "../../../../device-agent/tasks/executors/steps.ts";
import { deviceTools } from "../../../../shared/tools/catalog.ts";
import { toolDigests } from "../../../../shared/tools/digest.ts";
import { createSmallDeviceAgent } from "../../../device-agent/support/small-device-agent.ts";
import { listedDevices, until } from "../../support/ready.ts";
import { ownerToken, startTestGateway, type TestGateway } from "../../support/start-test-gateway.ts";
import { type Binding, type CallOptions, opened, type Reply } from "../support/bindings.ts";
import { stranger, words } from "../support/start.ts";
import { createTalker, type Talker } from "./talker.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into Tasks of many shapes
type Told = any;

/** The real gateway and the real device agent with one fake phone, joined; words go to the talker. */
export interface House {
  gateway: TestGateway;
  talker: Talker;
  close(): Promise<void>;
}

export async function openHouse(flags: Record<string, string> = {}): Promise<House> {
  const gateway = await startTestGateway({ tokens: [stranger], flags });
  const talker = createTalker();
  const { deviceAgent } = createSmallDeviceAgent(gateway.port, {
    token: async () => ownerToken,
    tools: deviceTools,
    toolDigests: await toolDigests(deviceTools),
    executors: new Map([
      ["chat", talker],
      ["steps", createStepsExecutor()],
    ]),
  });
  await deviceAgent.start();
  await until(async () => (await listedDevices(gateway)).some(({ state }) => state === "device"));
  return {
    gateway,
    talker,
    async close() {
      talker.go();
      await deviceAgent.stop();
      await gateway.stop();
    },
  };
}

/** One client of one binding in the house. */
export function clientOf({ gateway }: House, binding: Binding) {
  const call = (method: string, params: object = {}, options: CallOptions = {}): Promise<Reply> =>
    binding.call(gateway.url, method, params, options);
  const result = async (method: string, params: object = {}, options: CallOptions = {}): Promise<Told> => {
    const reply = await call(method, params, options);
    if (reply.error) throw new Error(`${method} failed: ${JSON.stringify(reply.error)}`);
    return reply.result;
  };
  const send = async (text: string, more: object = {}, configuration: object = {}): Promise<Told> =>
    (await result("SendMessage", { message: words(text, more), configuration })).task;
  return {
    call,
    result,
    send,
    /** Does not wait for its end. */
    begin: (text: string, more: object = {}): Promise<Told> => send(text, more, { returnImmediately: true }),
    get: (id: string, more: object = {}): Promise<Told> => result("GetTask", { id, ...more }),
    stream: (method: string, params: object, options: CallOptions = {}) =>
      opened(binding, gateway.url, method, params, options),
    async inState(id: string, state: string): Promise<Told> {
      let task: Told;
      await until(async () => {
        task = await result("GetTask", { id });
        return task.status.state === state;
      });
      return task;
    },
  };
}
