import { limits } from "../../shared/limits.ts";
import type { Answer } from "../calls/answer.ts";
import type { JournalLine, StartLine } from "./journal-line.ts";

/** A start without an answer says only that the outcome is unknown; that is worth knowing for longer. */
const unansweredAgeMs = 60 * 60_000;

export interface Kept {
  start: StartLine;
  answer: { at: number; answer: Answer; bytes: number } | undefined;
}

/** What the journal knows, in memory: within its age and its bytes, oldest forgotten first. */
export interface KeptAnswers {
  get(id: string): Kept | undefined;
  begin(start: StartLine): void;
  /** False when there is no room even after forgetting all that may be forgotten. */
  finish(id: string, at: number, answer: Answer): boolean;
  forget(id: string): void;
  /** Makes room for `bytes` more, if that can be done without dropping an answer too young to be dropped. */
  makeRoom(bytes: number): boolean;
  /** When the oldest answer may be dropped, in milliseconds from now. */
  roomInMs(): number;
  lines(): Iterable<JournalLine>;
}

export function createKeptAnswers(options: { now: () => number; maxBytes: number }): KeptAnswers {
  const { now, maxBytes } = options;
  const kept = new Map<string, Kept>();
  let bytes = 0;

  const forget = (id: string) => {
    bytes -= kept.get(id)?.answer?.bytes ?? 0;
    kept.delete(id);
  };
  const forgetOld = () => {
    for (const [id, { start, answer }] of kept) {
      const isOld = answer ? now() - answer.at >= limits.answerAgeMs : now() - start.at >= unansweredAgeMs;
      if (isOld) forget(id);
    }
  };
  const answered = () =>
    [...kept.values()].flatMap(({ start, answer }) => (answer ? [{ id: start.id, ...answer }] : []));
  const oldest = () => answered().sort((a, b) => a.at - b.at)[0];
  const makeRoom = (needed: number): boolean => {
    forgetOld();
    while (bytes + needed > maxBytes) {
      const victim = oldest();
      if (!victim || now() - victim.at < limits.answerMinAgeMs) return false;
      forget(victim.id);
    }
    return true;
  };

  return {
    get(id) {
      forgetOld();
      return kept.get(id);
    },
    begin(start) {
      kept.set(start.id, { start, answer: undefined });
    },
    finish(id, at, answer) {
      const entry = kept.get(id);
      const size = sizeOf(answer);
      if (!entry || entry.answer || !makeRoom(size)) return false;
      entry.answer = { at, answer, bytes: size };
      bytes += size;
      return true;
    },
    forget,
    makeRoom,
    roomInMs() {
      const first = oldest();
      return first ? Math.max(1, first.at + limits.answerMinAgeMs - now()) : 1_000;
    },
    *lines() {
      forgetOld();
      for (const { start, answer } of [...kept.values()]) {
        yield start;
        if (answer) yield { kind: "answer", id: start.id, at: answer.at, answer: answer.answer };
      }
    },
  };
}

function sizeOf(answer: Answer): number {
  if (!answer.ok) return Buffer.byteLength(JSON.stringify(answer));
  const pictures = answer.pictures.reduce((sum, picture) => sum + picture.bytes.length, 0);
  return Buffer.byteLength(JSON.stringify(answer.output)) + pictures;
}
