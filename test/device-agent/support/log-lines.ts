import { createLogger, type Logger } from "../../../shared/log.ts";

/** A logger of every level whose lines a test can read. */
export function createLogLines(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const log = createLogger({ source: "test", level: "debug", write: (line) => void lines.push(line), now: () => 0 });
  return { log, lines };
}
