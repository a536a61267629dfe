import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { limits } from "../../shared/limits.ts";
import type { Logger } from "../../shared/log.ts";
import { createAppendFile } from "../journal/append-file.ts";
import { StartError } from "../start-error.ts";
import { createKeptTasks, type KeptTasks } from "./kept-tasks.ts";
import { decodeTaskLine, type TaskLine } from "./task-line.ts";

/** After so many new bytes the file is written anew without what is over. */
const compactAfterBytes = 4 * limits.taskDocumentBytes;

/** Remembers Tasks and what was told of them across lost links and restarts. */
export interface TaskJournal {
  /** As of the last line that was given, on the disk or not yet. */
  readonly kept: Omit<KeptTasks, "apply" | "closeGaps" | "lines">;
  /** Resolves when the line is written, starts and events when they are on the disk. Rejects with what the system said. */
  append(line: TaskLine): Promise<void>;
  close(): Promise<void>;
}

/**
 * The journal in a file of lines (mode 0600). A torn or damaged line is left out. Throws StartError when it cannot be
 * opened.
 */
export async function openTaskJournal(options: { file: string; log: Logger }): Promise<TaskJournal> {
  const { file, log } = options;
  const kept = createKeptTasks();
  await load(file, kept, log);
  kept.closeGaps();
  const appendFile = await createAppendFile(file, encoded(kept)).catch((cause: unknown) => {
    throw new StartError(`cannot write the journal ${file}`, cause);
  });

  let compacting = false;
  const compact = async () => {
    compacting = true;
    await appendFile
      .replace(encoded(kept))
      .catch((cause: unknown) => log.error("The journal of Tasks cannot be written anew", { cause }));
    compacting = false;
  };

  return {
    kept,
    async append(line) {
      kept.apply(line);
      if (!compacting && appendFile.grownBy() > compactAfterBytes) void compact();
      await appendFile.append(JSON.stringify(line), line.kind === "start" || line.kind === "event");
    },
    close: () => appendFile.close(),
  };
}

async function load(file: string, kept: KeptTasks, log: Logger): Promise<void> {
  let damaged = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file, "utf8") })) {
      const line = decodeTaskLine(text);
      if (line) kept.apply(line);
      else if (text !== "") damaged += 1;
    }
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return;
    throw new StartError(`cannot read the journal ${file}`, cause);
  }
  if (damaged > 0) log.warn("The journal of Tasks has damaged lines, which were left out", { damaged });
}

function* encoded(kept: KeptTasks): Iterable<string> {
  for (const line of kept.lines()) yield JSON.stringify(line);
}
