import type { Answer } from "../calls/answer.ts";

export interface JournalEntry {
  id: string;
  /** Of tool, device and arguments. */
  digest: string;
  principal: string;
  tool: string;
  device: string;
}

/** What is known of a call id. `lost`: an earlier process began it and never told how it ended. */
export type Remembered = JournalEntry & ({ state: "started" | "lost" } | { state: "answered"; answer: Answer });

/** Remembers writes across lost links and restarts, so that none is done twice. */
export interface Journal {
  /** Resolves when the entry is on the disk; the phone may be touched then. Throws `device_busy` when it is full. */
  begin(entry: JournalEntry): Promise<void>;
  finish(id: string, answer: Answer): void;
  find(id: string): Remembered | undefined;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}
