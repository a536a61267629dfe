import type { AuditRecord } from "../../../device-agent/audit/audit.ts";
import { createDispatch } from "../../../device-agent/calls/dispatch.ts";
import { createGate } from "../../../device-agent/calls/gate.ts";
import { createPicturesSeen } from "../../../device-agent/calls/pictures-seen.ts";
import type { Lease } from "../../../device-agent/leases/lease.ts";
import { createLeases } from "../../../device-agent/leases/leases.ts";
import type { LinkConnection } from "../../../device-agent/link/open-link.ts";
import { createPolicy, type Grants } from "../../../device-agent/policy/policy.ts";
import { policySchema } from "../../../device-agent/policy/policy-schema.ts";
import { createPhoneQueues } from "../../../device-agent/queue/phone-queues.ts";
import type { Call, ToGateway } from "../../../shared/link/messages.ts";
import type { DeviceTool } from "../../../shared/tools/define-tool.ts";
import { testBuild } from "../../support/build.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { FakePhones } from "../../support/fake-phones.ts";
import { keptFiles } from "../../support/kept-files.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createLogLines } from "./log-lines.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { smallTools } from "./small-tools.ts";

/** Remembers what is sent on one link. */
export class FakeConnection implements LinkConnection {
  readonly sent: ToGateway[] = [];

  async send(message: ToGateway): Promise<void> {
    this.sent.push(message);
  }

  about(id: string): ToGateway[] {
    return this.sent.filter((message) => "id" in message && message.id === id);
  }
}

export function call(id: string, tool: string, about: Partial<Call> = {}): Call {
  const given = about.arguments ?? (tool === "tap" ? { x: 1, y: 2 } : {});
  return {
    type: "call",
    id,
    tool,
    arguments: given,
    digest: JSON.stringify([tool, about.device ?? "a", given]),
    device: "a",
    principal: { tenant: "t", subject: "s" },
    scopes: ["screen:read", "screen:write", "device:danger", "device:lease", "task:run"],
    timeoutMs: 30_000,
    wantsProgress: false,
    ...about,
  };
}

/** Dispatch with two phones, "a" and "b", on which everything is allowed unless the test says otherwise. */
export function createDispatchBench(
  options: { policy?: object; grants?: Grants; tools?: readonly DeviceTool[]; leases?: Lease[] } = {},
) {
  const clock = createManualClock();
  const { log, lines } = createLogLines();
  const phones = new FakePhones();
  const [a, b] = [new FakeDevice(), new FakeDevice()];
  phones.plug("a", a);
  phones.plug("b", b);
  const rules = policySchema.parse(options.policy ?? {});
  const all = ["screen:read", "screen:write", "device:danger"] as const;
  const grants = options.grants ?? { all: options.policy ? [] : all, bySerial: {} };
  const policy = createPolicy({ rules: () => rules, grants, path: "/data/policy.json" });
  const journal = new MemoryJournal();
  const audited: AuditRecord[] = [];
  let ids = 0;
  const written: Lease[][] = [];
  const leases = createLeases({
    clock,
    log,
    file: { write: async (all) => void written.push(all) },
    kept: options.leases ?? [],
    newId: () => `lease_${ids++}`,
  });
  const dispatch = createDispatch({
    clock,
    log,
    tools: options.tools ?? smallTools,
    leases,
    tasksAtWork: { on: () => undefined },
    gate: createGate({ phones, policy }),
    policy,
    phones,
    queues: createPhoneQueues({ perDevice: 32 }),
    journal,
    build: testBuild,
    spool: { of: () => keptFiles() },
    pictures: createPicturesSeen({ now: clock.now, newId: () => `p_${ids++}` }),
    audit: { record: (record) => void audited.push(record), close: async () => {} },
    newErrorId: () => "error-id-1",
  });
  return {
    clock,
    lines,
    phones,
    a,
    b,
    policy,
    journal,
    leases,
    written,
    audited,
    dispatch,
    link: new FakeConnection(),
  };
}

/** Makes a fake phone's next action wait until it is let go, or for ever. */
export function hold(device: FakeDevice, action: string): { letGo: () => void } {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  device.before = (asked, signal) => {
    if (asked !== action) return;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      void held.then(resolve);
    });
  };
  return { letGo };
}
