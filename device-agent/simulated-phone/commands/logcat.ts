import type { LogEntry } from "../phone/system-log.ts";
import { type Program, parseFlags } from "./program.ts";

const PRIORITIES = ["V", "D", "I", "W", "E", "F", "S"];

/** `logcat`, with the formats and filters that are commonly asked for. Without `-d` it follows until it is ended. */
export const logcat: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "vtTbemn");
  const { log } = context.phone;
  if (flags.has("c")) {
    log.clear();
    return 0;
  }
  if (flags.has("g")) {
    await context.print(
      "main: ring buffer is 256 KiB (120 KiB consumed, 140 KiB readable), max entry is 5120 B, max payload is 4068 B\n",
    );
    return 0;
  }
  const isShown = createFilter(operands, flags.has("s"), flags.get("e"));
  const format = (entry: LogEntry) => formatEntry(entry, flags.get("v") ?? "threadtime");
  const count = flags.get("t") ?? flags.get("T");
  const matching = log.entries().filter(isShown);
  const kept = count !== undefined && /^\d+$/.test(count) ? matching.slice(-Number(count)) : matching;
  if (flags.get("v") !== "raw") await context.print("--------- beginning of main\n");
  for (const entry of kept) await context.print(`${format(entry)}\n`);
  if (flags.has("d") || flags.has("t")) return 0;
  return follow(context, isShown, format);
};

async function follow(
  context: Parameters<Program>[0],
  isShown: (entry: LogEntry) => boolean,
  format: (entry: LogEntry) => string,
): Promise<number> {
  let pending = Promise.resolve();
  return new Promise<number>((resolve) => {
    const stop = context.phone.log.follow((entry) => {
      if (!isShown(entry)) return;
      pending = pending.then(() => context.print(`${format(entry)}\n`)).catch(() => end(141));
    });
    const end = (status: number) => {
      stop();
      resolve(status);
    };
    context.signal.addEventListener("abort", () => end(130), { once: true });
  });
}

function createFilter(
  operands: readonly string[],
  isSilent: boolean,
  expression: string | undefined,
): (entry: LogEntry) => boolean {
  const levels = new Map<string, number>();
  let rest = isSilent || operands.includes("*:S") ? PRIORITIES.length : 0;
  for (const operand of operands) {
    const [tag = "", priority = "V"] = operand.split(":");
    if (tag === "*") rest = PRIORITIES.indexOf(priority);
    else levels.set(tag, PRIORITIES.indexOf(priority));
  }
  const pattern = expression === undefined ? undefined : new RegExp(expression);
  return (entry) =>
    PRIORITIES.indexOf(entry.priority) >= (levels.get(entry.tag) ?? rest) && (pattern?.test(entry.message) ?? true);
}

function formatEntry({ at, pid, tid, priority, tag, message }: LogEntry, format: string): string {
  const time = new Date(at).toISOString();
  const stamp = `${time.slice(5, 10)} ${time.slice(11, 23)}`;
  if (format === "raw") return message;
  if (format === "brief") return `${priority}/${tag.padEnd(8)}(${String(pid).padStart(5)}): ${message}`;
  if (format === "tag") return `${priority}/${tag.padEnd(8)}: ${message}`;
  if (format === "time") return `${stamp} ${priority}/${tag.padEnd(8)}(${String(pid).padStart(5)}): ${message}`;
  return `${stamp} ${String(pid).padStart(5)} ${String(tid).padStart(5)} ${priority} ${tag.padEnd(8)}: ${message}`;
}
