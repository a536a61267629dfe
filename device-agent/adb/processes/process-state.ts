import { quote } from "../shell/quote.ts";

/** What is kept on the phone of each started process, in a folder that has its id for a name. */
export const processFolder = "/data/local/tmp/farhand-processes";
const idPattern = /^p[0-9a-z]{8,24}$/;

export interface ProcessState {
  id: string;
  /** The process that stays until all is over; its number may be another's by now unless `running`. */
  pid: number;
  group: number;
  running: boolean;
  exitCode: number | null;
  outputBytes: number;
}

/** One command that tells of all started processes; `mark` begins each of them. */
export function stateCommand(mark: string): string {
  const each = [
    `echo "${mark} $d"`,
    "cat $d/boot",
    "cat $d/stat",
    'echo "now $(cat /proc/$(cat $d/pid)/stat)"',
    'echo "exit $(cat $d/exit)"',
    'echo "bytes $(stat -c %s $d/out)"',
  ];
  return `cat /proc/sys/kernel/random/boot_id; cd ${quote(processFolder)} 2>/dev/null && for d in p*; do ${each.join("; ")}; done 2>/dev/null`;
}

/** Oldest first. */
export function parseStates(output: string, mark: string): ProcessState[] {
  const [head = "", ...blocks] = output.split(`${mark} `);
  const boot = head.trim().split("\n")[0] ?? "";
  const states = blocks.map((block) => parseState(block.split("\n"), boot));
  return states.filter((state) => state !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function parseState([name = "", ...lines]: string[], boot: string): ProcessState | undefined {
  const id = name.trim();
  if (!idPattern.test(id)) return undefined;
  const after = (word: string) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const begun = parseStat(lines.find((line) => /^\d+ \(/.test(line)));
  const now = parseStat(after("now"));
  const exit = after("exit")?.trim() ?? "";
  const isSameBoot = (lines[0] ?? "").trim() === boot;
  const isSame = begun !== undefined && now?.pid === begun.pid && now.startedAt === begun.startedAt;
  return {
    id,
    pid: begun?.pid ?? 0,
    group: begun?.group ?? 0,
    running: isSameBoot && isSame && now.state !== "Z" && exit === "",
    exitCode: /^\d{1,3}$/.test(exit) ? Number(exit) : null,
    outputBytes: Number(after("bytes")) || 0,
  };
}

/** The fields that matter of `/proc/PID/stat`, proc(5); the name in the second may hold spaces and parentheses. */
function parseStat(line: string | undefined) {
  const [, pid, rest = ""] = /^(\d+) \(.*\) (.*)$/.exec(line ?? "") ?? [];
  if (pid === undefined) return undefined;
  const fields = rest.split(" ");
  return { pid: Number(pid), state: fields[0], group: Number(fields[2]), startedAt: fields[19] };
}
