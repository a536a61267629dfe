import type { AuditRecord } from "../../../device-agent/audit/audit.ts";
import { createDispatch } from "../../../device-agent/calls/dispatch.ts";
import { createGate } from "../../../device-agent/calls/gate.ts";
import { createPicturesSeen } from "../../../device-agent/calls/pictures-seen.ts";
import { createLeases } from "../../../device-agent/leases/leases.ts";
import type { LinkConnection } from "../../../device-agent/link/open-link.ts";
import { createPolicy } from "../../../device-agent/policy/policy.ts";
import { policySchema } from "../../../device-agent/policy/policy-schema.ts";
import { createPhoneQueues } from "../../../device-agent/queue/phone-queues.ts";
import { createStepsExecutor } from "../../../device-agent/tasks/executors/steps.ts";
import type { TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import { createTasks, type Tasks } from "../../../device-agent/tasks/tasks.ts";
import { createTurns } from "../../../device-agent/tasks/turns.ts";
import type { TaskStart, ToDeviceAgent, ToGateway } from "../../../shared/link/messages.ts";
import type { DeviceTool } from "../../../shared/tools/define-tool.ts";
import { testBuild } from "../../support/build.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { FakePhones } from "../../support/fake-phones.ts";
import { createManualClock, settled } from "../../support/manual-clock.ts";
import { FakeConnection } from "./dispatch-bench.ts";
import { FencedStore } from "./fenced-store.ts";
import { createLogLines } from "./log-lines.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { memorySpool } from "./memory-spool.ts";
import { MemoryTaskJournal } from "./memory-task-journal.ts";
import { smallTools } from "./small-tools.ts";

/** A link to a store: each answer comes a moment later, unless the link was cut or is mute. */
export class StoreLink implements LinkConnection {
  readonly sent: ToGateway[] = [];
  isUp = true;
  /** The gateway gets everything, and its answers get lost. */
  isMute = false;
  readonly #store: FencedStore;
  readonly #answer: (message: ToDeviceAgent) => void;

  constructor(store: FencedStore, answer: (message: ToDeviceAgent) => void) {
    this.#store = store;
    this.#answer = answer;
  }

  async send(message: ToGateway): Promise<void> {
    if (!this.isUp) return;
    this.sent.push(message);
    for (const answer of this.#store.take(message)) {
      queueMicrotask(() => {
        if (this.isUp && !this.isMute) this.#answer(answer);
      });
    }
  }
}

export const tap = (x: number, more: object = {}) => ({ tool: "tap", arguments: { x, y: 1, ...more } });

export function taskStart(taskId: string, steps: unknown = [tap(1)], about: Partial<TaskStart> = {}): TaskStart {
  return {
    type: "task_start",
    taskId,
    contextId: `context-${taskId}`,
    device: "a",
    skill: "steps",
    message: { messageId: `m-${taskId}`, role: "ROLE_USER", parts: [{ data: { steps } as never }] },
    principal: { tenant: "t", subject: "s" },
    scopes: ["screen:read", "screen:write", "device:danger", "device:lease", "task:run"],
    waitMs: 15 * 60_000,
    leaseMs: 90_000,
    ...about,
  };
}

export interface TasksBenchOptions {
  tools?: readonly DeviceTool[];
  executors?: Record<string, TaskExecutor>;
  policy?: object;
}

/** The Tasks of a device agent with two phones "a" and "b", and direct calls beside them. */
export function createTasksBench(options: TasksBenchOptions = {}) {
  const clock = createManualClock();
  const { log, lines } = createLogLines();
  const phones = new FakePhones();
  const [a, b] = [new FakeDevice(), new FakeDevice()];
  phones.plug("a", a);
  phones.plug("b", b);
  const rules = policySchema.parse(options.policy ?? {});
  const all = options.policy ? [] : (["screen:read", "screen:write", "device:danger"] as const);
  const policy = createPolicy({ rules: () => rules, grants: { all, bySerial: {} }, path: "/data/policy.json" });
  const audited: AuditRecord[] = [];
  const kept = new Map<string, Uint8Array>();
  const store = new FencedStore();
  let ids = 0;
  const newId = (prefix: string) => `${prefix}${++ids}`;
  const leases = createLeases({ clock, log, file: { write: async () => {} }, kept: [], newId: () => newId("lease_") });

  /** One process on the journal that an earlier one left. */
  const boot = (journal = new MemoryTaskJournal()) => {
    const turns = createTurns({
      isThere: (key) => phones.list().some((phone) => phone.key === key && phone.state === "device"),
    });
    const deps = {
      clock,
      log,
      phones,
      policy,
      leases,
      tools: options.tools ?? smallTools,
      gate: createGate({ phones, policy }),
      queues: createPhoneQueues({ perDevice: 32 }),
      pictures: createPicturesSeen({ now: clock.now, newId: () => newId("p_") }),
      build: testBuild,
      journal: new MemoryJournal(),
      audit: { record: (record: AuditRecord) => void audited.push(record), close: async () => {} },
      newErrorId: () => "error-id-1",
      randomId: () => newId("r"),
      spool: memorySpool(kept),
    };
    const executors = new Map(Object.entries({ steps: createStepsExecutor(), ...options.executors }));
    const tasks = createTasks({ ...deps, turns, executors, taskJournal: journal });
    return { tasks, turns, journal, dispatch: createDispatch({ ...deps, tasksAtWork: turns }), deps };
  };
  const first = boot();
  let current: Pick<ReturnType<typeof boot>, "tasks"> = first;
  first.tasks.begin();

  const connect = (): StoreLink => {
    const { tasks } = current;
    const link = new StoreLink(store, (message) => receive(tasks, message, link));
    tasks.linked(link);
    return link;
  };
  const say = async (message: ToDeviceAgent, link: LinkConnection) => {
    receive(current.tasks, message, link);
    await settled();
  };
  /** A new process on what the journal holds. */
  const restart = () => {
    const next = boot(new MemoryTaskJournal(first.journal.lines));
    current = next;
    next.tasks.begin();
    return next;
  };
  return {
    ...first,
    clock,
    lines,
    phones,
    a,
    b,
    audited,
    kept,
    leases,
    store,
    connect,
    say,
    restart,
    direct: new FakeConnection(),
  };
}

function receive(tasks: Tasks, message: ToDeviceAgent, link: LinkConnection): void {
  if (message.type === "task_start") void tasks.start(message, link);
  else if (message.type === "task_message") tasks.message(message);
  else if (message.type === "task_cancel") tasks.cancel(message.taskId);
  else if (message.type === "task_ack") tasks.acknowledged(message);
  else if (message.type === "task_leases") tasks.leases(message);
}
