import { type FileHandle, open } from "node:fs/promises";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import type { Audit, AuditRow } from "../audit.ts";

const flushMs = 1_000;
/** Rows that may wait while the disk refuses; then the oldest are given up, and the log says so. */
const rowsKept = 10_000;

/** Writes one JSON line per call into a file of 0600, once a second and when stopping. */
export async function openAuditFile(deps: {
  path: string;
  clock: Clock;
  log: Logger;
}): Promise<Audit & { close(): Promise<void> }> {
  const { clock, log } = deps;
  const file: FileHandle = await open(deps.path, "a", 0o600);
  let waiting: AuditRow[] = [];
  let callOff = () => {};
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    const rows = waiting;
    if (rows.length === 0) return;
    waiting = [];
    try {
      await file.appendFile(rows.map((row) => `${JSON.stringify(line(row))}\n`).join(""));
    } catch (cause) {
      waiting = [...rows, ...waiting].slice(-rowsKept);
      log.error("audit rows could not be written", { rows: rows.length, cause });
    }
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  const schedule = () => {
    callOff = clock.after(flushMs, () => flush().finally(schedule));
  };
  schedule();

  return {
    record(row) {
      if (waiting.length < rowsKept) waiting.push(row);
    },
    async close() {
      callOff();
      await flush();
      callOff();
      await file.close();
    },
  };
}

function line({ at, deviceId, callId, ...row }: AuditRow) {
  return { at: new Date(at).toISOString(), call_id: callId, device: deviceId, ...row };
}
