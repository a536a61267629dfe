import { CodedError } from "../../shared/errors.ts";
import type { SpoolRecord } from "./record.ts";

export interface RoomLimits {
  spoolBytes: number;
  spoolFiles: number;
  /** Of one file. */
  downloadBytes: number;
}

/** Throws when a file may not have `end` bytes: over what it announced, too large, or no room beside the others. */
export function checkRoom(all: Iterable<SpoolRecord>, record: SpoolRecord, end: number, limits: RoomLimits): void {
  if (record.bytes !== null && end > record.bytes) {
    throw new CodedError("invalid_argument", `More bytes came than the ${record.bytes} that were announced.`, {
      hint: "Announce the whole size of the file.",
    });
  }
  if (end > limits.downloadBytes) {
    throw new CodedError("too_large", `One file may have ${limits.downloadBytes} bytes at most.`, {
      hint: "Split the file, or let install_app fetch it from an address.",
    });
  }
  let taken = 0;
  let files = 0;
  for (const other of all) {
    if (other === record) continue;
    files += 1;
    taken += room(other);
  }
  if (files >= limits.spoolFiles) throw full(`${limits.spoolFiles} files`, `${files} are there`);
  if (taken + Math.max(end, room(record)) > limits.spoolBytes) {
    throw full(`${limits.spoolBytes} bytes of files`, `${taken} are taken`);
  }
}

/** Room is kept for what was announced. */
const room = ({ bytes, received }: SpoolRecord) => bytes ?? received;

const full = (limit: string, taken: string) =>
  new CodedError("too_large", `The device agent keeps ${limit} at most, and ${taken}.`, {
    hint: "Delete files that are not needed with DELETE /files/<id>; the others go by themselves after 24 hours.",
  });
