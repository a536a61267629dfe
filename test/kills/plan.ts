import { createSeeded, type Seeded } from "./seeded.ts";

/** A step, and how it is seen on the phone: by a touch or a text that no other step makes, by a key, or not at all. */
export interface PlannedStep {
  tool: string;
  arguments: Record<string, unknown>;
  trace:
    | { kind: "touch"; x: number; y: number }
    | { kind: "text"; text: string }
    | { kind: "key"; key: "KEYCODE_VOLUME_UP" | "KEYCODE_VOLUME_DOWN" }
    | { kind: "none" };
}

export interface PlannedTask {
  number: number;
  phone: 0 | 1;
  steps: PlannedStep[];
  contextId: string;
  /** From the beginning of the run. */
  startAtMs: number;
  cancelAtMs: number | undefined;
  /** Whether a cancellation whose answer is lost is asked for again. */
  insists: boolean;
  /** Begun by SendStreamingMessage, whose stream is then the first subscriber's. */
  streams: boolean;
  /** After how many frames each subscriber lets go of its stream, to go on with the next one. */
  subscribers: number[];
}

/** Something that breaks, some time after the one before. */
export interface Disruption {
  kind: "gateway" | "device agent" | "both" | "cut";
  afterMs: number;
  /** Then as soon as clients have seen so many further events, if they do within a moment. */
  afterEvents: number;
  awayMs: number;
}

export interface Plan {
  seed: number;
  tasks: PlannedTask[];
  disruptions: Disruption[];
}

/** Pictures are so wide for coordinates; a phone's panel has twice as many pixels. */
export const panelPixelsPerUnit = 2;

/** What one run does. The same seed gives the same plan. */
export function makePlan(seed: number): Plan {
  const seeded = createSeeded(seed);
  const count = seeded.between(2, 5);
  const tasks = Array.from({ length: count }, (_, number) => planTask(seeded, seed, number));
  const disruptions = Array.from({ length: seeded.pick([1, 1, 2, 2, 3]) }, (_, index) => planDisruption(seeded, index));
  return { seed, tasks, disruptions };
}

function planTask(seeded: Seeded, seed: number, number: number): PlannedTask {
  const phone = seeded.chance(0.6) ? 0 : 1;
  const startAtMs = seeded.between(0, seeded.chance(0.7) ? 400 : 2_500);
  return {
    number,
    phone,
    steps: phone === 0 ? touches(seeded, number) : texts(seeded, number),
    contextId: `ctx-${seed}-${seeded.chance(0.4) ? "shared" : number}`,
    startAtMs,
    cancelAtMs: seeded.chance(0.3) ? startAtMs + seeded.between(0, 2_500) : undefined,
    insists: seeded.chance(0.5),
    streams: seeded.chance(0.5),
    subscribers: Array.from({ length: seeded.between(1, 2) }, () =>
      seeded.chance(0.4) ? seeded.between(2, 6) : Number.POSITIVE_INFINITY,
    ),
  };
}

function planDisruption(seeded: Seeded, index: number): Disruption {
  const kind = seeded.pick(["gateway", "gateway", "device agent", "device agent", "both", "cut"] as const);
  return {
    kind,
    // A second one often comes while the processes are still starting.
    afterMs: seeded.between(0, seeded.chance(0.5) ? 300 : index === 0 ? 2_500 : 1_500),
    afterEvents: seeded.chance(0.5) ? seeded.between(1, 20) : 0,
    awayMs: seeded.pick([0, 0, 100, 500]),
  };
}

/** On the map; one picture first, in which the coordinates are. */
function touches(seeded: Seeded, task: number): PlannedStep[] {
  const look = {
    tool: "take_screenshot",
    arguments: { max_width: 540, quality: 20 },
    trace: { kind: "none" },
  } as const;
  const rest = Array.from({ length: seeded.between(1, 4) }, (_, step): PlannedStep => {
    const [x, y] = [40 + 60 * task, 120 + 60 * step];
    const at = { x, y, snap: false };
    const trace = { kind: "touch", x, y } as const;
    const kind = seeded.between(0, 9);
    if (kind < 4) return { tool: "tap", arguments: at, trace };
    if (kind < 8) return { tool: "long_press", arguments: { ...at, duration_ms: seeded.between(300, 700) }, trace };
    return keyStep(seeded);
  });
  return [look, ...rest, quiet];
}

/** Into the field of the chat. */
function texts(seeded: Seeded, task: number): PlannedStep[] {
  const some = Array.from({ length: seeded.between(1, 2) }, (_, step): PlannedStep => {
    const text = `t${task}s${step}.`;
    if (seeded.chance(0.7)) return { tool: "type_text", arguments: { text }, trace: { kind: "text", text } };
    return keyStep(seeded);
  });
  return [...some, quiet];
}

function keyStep(seeded: Seeded): PlannedStep {
  const key = seeded.pick(["volume_up", "volume_down"] as const);
  const pressed = key === "volume_up" ? "KEYCODE_VOLUME_UP" : "KEYCODE_VOLUME_DOWN";
  return { tool: "press_key", arguments: { key }, trace: { kind: "key", key: pressed } };
}

/** Its answer comes after the phone has taken everything that was sent before. */
const quiet: PlannedStep = { tool: "foreground_app", arguments: {}, trace: { kind: "none" } };
