import { createDeviceAgent, type DeviceAgentDeps } from "../../../device-agent/device-agent.ts";
import { createLeases } from "../../../device-agent/leases/leases.ts";
import { createWebSocketDial } from "../../../device-agent/link/dial.ts";
import { createPolicy } from "../../../device-agent/policy/policy.ts";
import { policySchema } from "../../../device-agent/policy/policy-schema.ts";
import { randomId } from "../../../device-agent/random-id.ts";
import { createSystemClock } from "../../../device-agent/system-clock.ts";
import { createStepsExecutor } from "../../../device-agent/tasks/executors/steps.ts";
import { testBuild } from "../../support/build.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { FakePhones } from "../../support/fake-phones.ts";
import { createLogLines } from "./log-lines.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { memorySpool } from "./memory-spool.ts";
import { MemoryTaskJournal } from "./memory-task-journal.ts";
import { smallTools } from "./small-tools.ts";

export const benchToken = "bench-token-0123456789-0123456789-0123456789";

/** A whole device agent with one fake phone "a", on real sockets. */
export function createSmallDeviceAgent(port: number, changes: Partial<DeviceAgentDeps> = {}) {
  const phones = new FakePhones();
  const device = new FakeDevice();
  phones.plug("a", device);
  const { log, lines } = createLogLines();
  let connectSeq = 0;
  const rules = policySchema.parse({ default: { "screen:write": "allow" } });
  const deviceAgent = createDeviceAgent({
    clock: createSystemClock(),
    random: () => 0.1,
    randomId,
    log,
    version: "0.1.0",
    build: testBuild,
    name: "bench",
    identity: { installId: "install-0123456789", bootId: "boot-0123", nextConnectSeq: async () => ++connectSeq },
    phones,
    tools: smallTools,
    toolDigests: { tap: "abc" },
    streamSources: {},
    spool: memorySpool(),
    policy: createPolicy({ rules: () => rules, grants: { all: [], bySerial: {} }, path: "/policy.json" }),
    leases: createLeases({
      clock: createSystemClock(),
      log,
      file: { write: async () => {} },
      kept: [],
      newId: () => "l",
    }),
    journal: new MemoryJournal(),
    taskJournal: new MemoryTaskJournal(),
    executors: new Map([["steps", createStepsExecutor()]]),
    audit: { record: () => {}, close: async () => {} },
    dial: createWebSocketDial(),
    url: `ws://127.0.0.1:${port}/link`,
    token: async () => benchToken,
    events: { linked: () => {}, unlinked: () => {}, devices: () => {} },
    ...changes,
  });
  return { deviceAgent, phones, device, lines };
}
