import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Logger } from "../../shared/log.ts";
import { StartError } from "../start-error.ts";
import { createAppendFile } from "./append-file.ts";
import type { Journal } from "./journal.ts";
import { decodeLine, encodeLine, type JournalLine } from "./journal-line.ts";
import { createKeptAnswers, type KeptAnswers } from "./kept-answers.ts";

/** After so many new bytes the file is written anew without what was forgotten. */
const compactAfterBytes = 2 * limits.answersBytes;

export interface FileJournalOptions {
  file: string;
  now: () => number;
  /** Of this process: what another one began and did not finish is lost. */
  bootId: string;
  log: Logger;
}

/** The journal in a file of lines. A torn or damaged line is left out. Throws StartError when it cannot be opened. */
export async function openFileJournal(options: FileJournalOptions): Promise<Journal> {
  const { file, now, bootId, log } = options;
  const kept = createKeptAnswers({ now, maxBytes: limits.answersBytes });
  const begun = new Set<string>();
  await load(file, kept, log);
  const lines = () => encoded(kept.lines());
  const appendFile = await createAppendFile(file, lines()).catch((cause: unknown) => {
    throw new StartError(`cannot write the journal ${file}`, cause);
  });

  return {
    async begin(entry) {
      // Each running write may still bring an answer of the usual size.
      if (!kept.makeRoom((begun.size + 1) * limits.responseBytes)) {
        const message = "The answers of the last minute fill the journal, so no new write is taken; nothing was sent.";
        throw new CodedError("device_busy", message, { retryAfterMs: kept.roomInMs() });
      }
      const start = { kind: "start" as const, at: now(), boot: bootId, ...entry };
      kept.begin(start);
      begun.add(entry.id);
      await appendFile.append(encodeLine(start), true).catch((cause: unknown) => {
        kept.forget(entry.id);
        begun.delete(entry.id);
        throw new CodedError("internal", "The device agent cannot write its journal; nothing was sent to the phone.", {
          hint: "Ask the operator to look at the disk of the device agent.",
          cause,
        });
      });
    },
    finish(id, answer) {
      if (!begun.delete(id)) return;
      const at = now();
      if (!kept.finish(id, at, answer)) return log.warn("An answer did not fit into the journal", { callId: id });
      const failed = (cause: unknown) => log.error("The journal cannot be written", { cause });
      appendFile.append(encodeLine({ kind: "answer", id, at, answer }), false).catch(failed);
      if (appendFile.grownBy() > compactAfterBytes) appendFile.replace(lines()).catch(failed);
    },
    find(id) {
      const found = kept.get(id);
      if (!found) return undefined;
      const { start, answer } = found;
      if (answer) return { ...start, state: "answered", answer: answer.answer };
      return { ...start, state: begun.has(id) ? "started" : "lost" };
    },
    close: () => appendFile.close(),
  };
}

async function load(file: string, kept: KeptAnswers, log: Logger): Promise<void> {
  let damaged = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file, "utf8") })) {
      const line = decodeLine(text);
      if (line?.kind === "start") kept.begin(line);
      else if (line) kept.finish(line.id, line.at, line.answer);
      else if (text !== "") damaged += 1;
    }
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return;
    throw new StartError(`cannot read the journal ${file}`, cause);
  }
  if (damaged > 0) log.warn("The journal has damaged lines, which were left out", { damaged });
}

function* encoded(lines: Iterable<JournalLine>): Iterable<string> {
  for (const line of lines) yield encodeLine(line);
}
