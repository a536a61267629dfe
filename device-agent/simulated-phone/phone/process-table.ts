export interface Process {
  readonly pid: number;
  readonly parentPid: number;
  readonly user: string;
  name: string;
  /** Number of its process group, which is that of the leader. */
  group: number;
  readonly startedAt: number;
  /** Ends it from outside; undefined for what always runs. */
  readonly abort?: AbortController;
}

export interface ProcessTable {
  list(): readonly Process[];
  find(pid: number): Process | undefined;
  byName(name: string): readonly Process[];
  /**
   * Adds a process of the shell user, in a group of its own when none is given; the caller removes it when it has
   * ended.
   */
  start(name: string, parentPid: number, group?: number): Process & { readonly abort: AbortController };
  /** An app's process; the same one as long as it lives. */
  ensureApp(packageName: string, uid: number): Process;
  remove(pid: number): void;
  removeApp(packageName: string): void;
  endShellProcesses(): void;
}

const RESIDENTS: readonly (readonly [number, number, string, string])[] = [
  [1, 0, "root", "init"],
  [312, 1, "system", "servicemanager"],
  [540, 1, "root", "zygote64"],
  [561, 1, "system", "surfaceflinger"],
  [798, 1, "shell", "adbd"],
  [1422, 540, "system", "system_server"],
  [1790, 540, "u0_a201", "com.android.systemui"],
  [2016, 540, "u0_a148", "com.google.android.inputmethod.latin"],
];
const ZYGOTE_PID = 540;
const FIRST_FREE_PID = 4200;

export class KilledError extends Error {
  override name = "KilledError";
  readonly signalNumber: number;
  constructor(signalNumber: number) {
    super("Killed");
    this.signalNumber = signalNumber;
  }
}

export function createProcessTable(now: () => number): ProcessTable {
  const processes = new Map<number, Process>();
  let nextPid = FIRST_FREE_PID;
  for (const [pid, parentPid, user, name] of RESIDENTS)
    processes.set(pid, { pid, parentPid, user, name, group: pid, startedAt: now() });

  const byName = (name: string) =>
    [...processes.values()].filter((process) => process.name === name || process.name.endsWith(`/${name}`));
  function remove(pid: number): void {
    processes.delete(pid);
  }

  return {
    list: () => [...processes.values()].sort((left, right) => left.pid - right.pid),
    find: (pid) => processes.get(pid),
    byName,
    start(name, parentPid, group) {
      const pid = nextPid++;
      const process = {
        pid,
        group: group ?? pid,
        parentPid,
        user: "shell",
        name,
        startedAt: now(),
        abort: new AbortController(),
      };
      processes.set(process.pid, process);
      return process;
    },
    ensureApp(packageName, uid) {
      const running = byName(packageName)[0];
      if (running) return running;
      const user = uid >= 10_000 ? `u0_a${uid - 10_000}` : "system";
      const process = {
        pid: nextPid++,
        parentPid: ZYGOTE_PID,
        user,
        name: packageName,
        group: ZYGOTE_PID,
        startedAt: now(),
      };
      processes.set(process.pid, process);
      return process;
    },
    remove,
    removeApp(packageName) {
      for (const process of byName(packageName)) if (process.pid >= FIRST_FREE_PID) remove(process.pid);
    },
    endShellProcesses() {
      for (const process of processes.values()) process.abort?.abort(new KilledError(15));
    },
  };
}
