export type LogPriority = "V" | "D" | "I" | "W" | "E";

export interface LogEntry {
  readonly at: number;
  readonly pid: number;
  readonly tid: number;
  readonly priority: LogPriority;
  readonly tag: string;
  readonly message: string;
}

/** The ring that `logcat` reads. */
export interface SystemLog {
  add(priority: LogPriority, tag: string, message: string, pid?: number): void;
  entries(): readonly LogEntry[];
  clear(): void;
  /** Called for each new entry until the returned function is called. */
  follow(onEntry: (entry: LogEntry) => void): () => void;
}

const KEPT_ENTRIES = 2_000;
const SYSTEM_SERVER_PID = 1422;

export function createSystemLog(now: () => number): SystemLog {
  let entries: LogEntry[] = [];
  const followers = new Set<(entry: LogEntry) => void>();
  return {
    add(priority, tag, message, pid = SYSTEM_SERVER_PID) {
      const entry = { at: now(), pid, tid: pid, priority, tag, message };
      entries.push(entry);
      if (entries.length > KEPT_ENTRIES) entries = entries.slice(KEPT_ENTRIES / 10);
      for (const follower of followers) follower(entry);
    },
    entries: () => entries,
    clear: () => {
      entries = [];
    },
    follow(onEntry) {
      followers.add(onEntry);
      return () => void followers.delete(onEntry);
    },
  };
}
