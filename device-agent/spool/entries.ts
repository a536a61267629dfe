import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import { loadRecords, removeFile, type SpoolRecord } from "./record.ts";
import { refusals } from "./refusals.ts";
import type { FileOwner } from "./spool.ts";

export interface Entry {
  record: SpoolRecord;
  /** Who writes now. `done` never rejects. */
  writer?: { giveWay(): void; done: Promise<void> } | undefined;
}

/** The files of the spool, by id. */
export interface Entries {
  add(record: SpoolRecord): Entry;
  all(): Entry[];
  records(): Iterable<SpoolRecord>;
  /** Throws `target_not_found` for one that is somebody else's, too. */
  find(owner: FileOwner, id: string): Entry;
  drop(entry: Entry): Promise<void>;
  /** Drops what expired. */
  sweep(): Promise<void>;
  /** One writer at a time: the newest, since an older one may wait for a connection that is gone. */
  asWriter<T>(entry: Entry, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export async function loadEntries(deps: { folder: string; clock: Clock; log: Logger }): Promise<Entries> {
  const { folder, clock, log } = deps;
  const records = await loadRecords(folder, log);
  const byId = new Map<string, Entry>(records.map((record) => [record.id, { record }]));
  const isOver = ({ writer, record }: Entry) => !writer && record.expiresAt <= clock.now();

  const drop = async (entry: Entry) => {
    byId.delete(entry.record.id);
    await removeFile(folder, entry.record.id);
  };

  return {
    add(record) {
      const entry: Entry = { record };
      byId.set(record.id, entry);
      return entry;
    },
    all: () => [...byId.values()],
    *records() {
      for (const { record } of byId.values()) yield record;
    },
    find({ tenant, subject }, id) {
      const entry = byId.get(id);
      const isOwn = entry?.record.owner.tenant === tenant && entry.record.owner.subject === subject;
      if (entry && isOwn && !isOver(entry)) return entry;
      throw refusals.gone();
    },
    drop,
    async sweep() {
      for (const entry of [...byId.values()].filter(isOver)) {
        await drop(entry).catch((cause: unknown) => log.warn("An expired file cannot be removed", { cause }));
      }
    },
    async asWriter(entry, work) {
      for (let { writer } = entry; writer; { writer } = entry) {
        writer.giveWay();
        await writer.done;
      }
      if (byId.get(entry.record.id) !== entry) throw refusals.gone();
      const control = new AbortController();
      const working = work(control.signal).finally(() => {
        entry.writer = undefined;
      });
      const done = working.then(
        () => {},
        () => {},
      );
      entry.writer = { giveWay: () => control.abort(refusals.replaced()), done };
      return working;
    },
  };
}
