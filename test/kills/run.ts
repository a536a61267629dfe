import type { Task } from "../../gateway/tasks/task.ts";
import { isTerminal } from "../../shared/tasks/task-state.ts";
import { beClientOf, type ClientOfTask } from "./client-of-task.ts";
import { disrupt } from "./disrupt.ts";
import type { KillableHouse } from "./killable-house.ts";
import { type PhoneInputs, readInputs } from "./phone-inputs.ts";
import { type Disruption, makePlan } from "./plan.ts";
import { prepare } from "./prepare.ts";
import { getTask, readLog } from "./task-log.ts";
import { verifyKeys } from "./verify-keys.ts";
import { verifyLog } from "./verify-log.ts";
import { type Fate, verifyWork, type Work } from "./verify-work.ts";

/** What came of one run. */
export interface RunReport {
  seed: number;
  /** One line each; a run without a fault has none. */
  faults: string[];
  /** The Tasks as they ended, to be looked at again later. */
  tasks: Task[];
  kills: number;
  /** Events that are stored, and times that a client saw one. */
  events: { stored: number; seen: number };
}

/** Longer than any lease: what has not ended by then is stuck. */
const settleMs = 150_000;
const killsOf: Record<Disruption["kind"], number> = { gateway: 1, "device agent": 1, both: 2, cut: 0 };

/** Begins Tasks, kills as the plan of this seed says, waits until all is over, and looks whether it is as it should be. */
export async function performRun(house: KillableHouse, seed: number): Promise<RunReport> {
  const plan = makePlan(seed);
  const startedAt = Date.now();
  const givenUp = new AbortController();
  const clients = plan.tasks.map((task) => beClientOf(task, { house, seed, startedAt, signal: givenUp.signal }));
  const seen = () => clients.reduce((sum, { witness }) => sum + witness.seen(), 0);
  await disrupt(house, plan.disruptions, seen);
  const callOff = setTimeout(() => givenUp.abort(), settleMs);
  await Promise.all(clients.map(({ done }) => done));
  clearTimeout(callOff);

  // The phones' next Tasks show that they are free; what came late is seen after them.
  const afterwards = await prepare(house, `free-${seed}`);
  const faults = [...afterwards.map((text) => `afterwards ${text}`), ...complaintsOf(house)];
  const inputs = house.phones.map((phone) => readInputs(phone, startedAt));
  const deviceAgentDied = plan.disruptions.some(({ kind }) => kind === "device agent" || kind === "both");
  const works: Work[] = [];
  for (const one of clients) {
    const name = `Task ${one.task.number} (${one.taskId() ?? "not begun"})`;
    const found = await look(house, one, inputs[one.task.phone], deviceAgentDied).catch((thrown: unknown) => ({
      faults: [String(thrown)],
      work: undefined,
    }));
    if (found.work) works.push(found.work);
    for (const text of [...one.faults, ...found.faults]) faults.push(`${name}: ${text}`);
  }
  for (const [phone, own] of inputs.entries()) {
    const on = works.filter(({ task }) => task.phone === phone);
    const strays = own.strays(plan.tasks.filter((task) => task.phone === phone));
    const said = [...strays.map((stray) => `it got what no step sends: ${stray}`), ...verifyKeys(on, own)];
    faults.push(...said.map((text) => `phone ${phone}: ${text}`));
  }
  return {
    seed,
    faults,
    tasks: works.map(({ log }) => log.task),
    kills: plan.disruptions.reduce((sum, { kind }) => sum + killsOf[kind], 0),
    events: {
      stored: works.reduce((sum, { log }) => sum + log.updates.length, 0),
      seen: seen(),
    },
  };
}

/** Looks at one Task that should be over. */
async function look(
  { client }: KillableHouse,
  { task, taskId, witness, cancel }: ClientOfTask,
  inputs: PhoneInputs | undefined,
  deviceAgentDied: boolean,
): Promise<{ faults: string[]; work: Work | undefined }> {
  const id = taskId();
  if (id === undefined || !inputs) return { faults: ["it never began"], work: undefined };
  const { status } = await getTask(client, id);
  if (!isTerminal(status.state)) {
    return { faults: [`it is stuck: ${status.state} since ${status.timestamp}`], work: undefined };
  }
  const log = await readLog(client, id);
  const fate: Fate = { deviceAgentDied, cancelAsked: cancel.asked(), cancelAnswer: cancel.answer() };
  const work = { task, log };
  return { faults: [...verifyLog(log, witness), ...verifyWork(work, inputs, fate)], work };
}

function complaintsOf({ gateway, deviceAgent }: KillableHouse): string[] {
  return [...gateway.complaints(), ...deviceAgent.complaints()];
}
