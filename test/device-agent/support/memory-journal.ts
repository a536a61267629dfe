import type { Answer } from "../../../device-agent/calls/answer.ts";
import type { Journal, JournalEntry, Remembered } from "../../../device-agent/journal/journal.ts";

/** A journal without a disk. `lost` holds what an earlier process began. */
export class MemoryJournal implements Journal {
  readonly entries = new Map<string, JournalEntry & { answer?: Answer; lost?: boolean }>();
  /** Set to refuse the next write. */
  refusal: Error | undefined;

  async begin(entry: JournalEntry): Promise<void> {
    if (this.refusal) throw this.refusal;
    this.entries.set(entry.id, entry);
  }

  finish(id: string, answer: Answer): void {
    const entry = this.entries.get(id);
    if (entry) entry.answer = answer;
  }

  find(id: string): Remembered | undefined {
    const entry = this.entries.get(id);
    if (!entry) return undefined;
    if (entry.answer) return { ...entry, state: "answered", answer: entry.answer };
    return { ...entry, state: entry.lost ? "lost" : "started" };
  }

  async close(): Promise<void> {}
}
