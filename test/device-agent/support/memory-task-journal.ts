import { createKeptTasks } from "../../../device-agent/tasks/kept-tasks.ts";
import type { TaskJournal } from "../../../device-agent/tasks/task-journal.ts";
import type { TaskLine } from "../../../device-agent/tasks/task-line.ts";

/** A journal of Tasks without a disk. Its lines outlive it: a new one from them is a restart. */
export class MemoryTaskJournal implements TaskJournal {
  readonly lines: TaskLine[] = [];
  readonly #kept = createKeptTasks();
  /** Set to refuse the next lines. */
  refusal: Error | undefined;
  /** Set to let lines wait for the disk. */
  disk: Promise<void> | undefined;

  constructor(lines: readonly TaskLine[] = []) {
    for (const line of lines) this.#kept.apply(line);
    this.#kept.closeGaps();
    this.lines.push(...this.#kept.lines());
  }

  get kept(): TaskJournal["kept"] {
    return this.#kept;
  }

  async append(line: TaskLine): Promise<void> {
    this.#kept.apply(line);
    await this.disk;
    if (this.refusal) throw this.refusal;
    this.lines.push(line);
  }

  async close(): Promise<void> {}
}
