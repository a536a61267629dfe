import { mkdir } from "node:fs/promises";
import type { Clock } from "../../shared/clock.ts";
import { limits } from "../../shared/limits.ts";
import type { FileReport } from "../../shared/link/file-streams.ts";
import type { Logger } from "../../shared/log.ts";
import { type Entries, type Entry, loadEntries } from "./entries.ts";
import { readBytes, readPart } from "./read-part.ts";
import { bytesPath, type SpoolRecord, saveRecord } from "./record.ts";
import { refusals } from "./refusals.ts";
import { checkRoom, type RoomLimits } from "./room.ts";
import type { FileOwner, NewFile, Spool, WholeFile } from "./spool.ts";
import { diskFailure, sha256Of, writePiece } from "./write-piece.ts";

export interface SpoolDeps {
  /** Made (0700) when it is not there. */
  folder: string;
  clock: Clock;
  log: Logger;
  /** A fresh unguessable text of `[a-z0-9]`. */
  randomId: (length: number) => string;
  /** In place of those in limits.ts. */
  roomLimits?: RoomLimits;
}

const sweepEveryMs = 5 * 60_000;

/** Takes up what an earlier run left, and sweeps from now on. */
export async function openSpool(deps: SpoolDeps): Promise<Spool> {
  const { folder, clock } = deps;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entries = await loadEntries(deps);
  const writing = createWriting(deps, entries);
  const stopSweeping = await keepSwept(entries, clock);
  await writing.finishLeft();
  const findWhole = (owner: FileOwner, id: string): WholeFile => {
    const report = reportOf(entries.find(owner, id), clock.now());
    if (report.sha256 !== null) return { ...report, sha256: report.sha256 };
    throw refusals.notWhole(report);
  };

  return {
    take: writing.take,
    create: writing.create,
    append: async (owner, id, offset, chunks) => writing.append(entries.find(owner, id), offset, chunks),
    async put(bytes, about) {
      const { id } = await writing.take({ ...about, bytes: bytes.length, sha256: null }, once(bytes));
      return findWhole(about.owner, id);
    },
    report: (owner, id) => reportOf(entries.find(owner, id), clock.now()),
    async *read(owner, id, range) {
      findWhole(owner, id);
      yield* readPart(bytesPath(folder, id), range);
    },
    async remove(owner, id) {
      const entry = entries.find(owner, id);
      await entries.asWriter(entry, () => entries.drop(entry));
    },
    of: (owner) => ({
      async find(id) {
        const { bytes, sha256 } = findWhole(owner, id);
        return { bytes, sha256, read: (offset, length) => readBytes(bytesPath(folder, id), { offset, length }) };
      },
    }),
    async stop() {
      stopSweeping();
      const writers = entries.all().flatMap(({ writer }) => writer ?? []);
      for (const writer of writers) writer.giveWay();
      await Promise.all(writers.map(({ done }) => done));
    },
  };
}

/** How files come to be. */
function createWriting({ folder, clock, randomId, roomLimits = limits }: SpoolDeps, entries: Entries) {
  const permit = (record: SpoolRecord, end: number) => checkRoom(entries.records(), record, end, roomLimits);

  const open = async ({ owner, name, mediaType, bytes, sha256: wanted }: NewFile): Promise<Entry> => {
    const id = `file_${randomId(26)}`;
    const about = { id, owner, name, mediaType, bytes, wanted };
    const madeAt = clock.now();
    const record = { ...about, received: 0, sha256: null, madeAt, expiresAt: madeAt + limits.uploadAgeMs };
    await entries.sweep();
    permit(record, bytes ?? 0);
    return entries.add(record);
  };

  const write = async ({ record }: Entry, offset: number, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    record.received = offset;
    const durable = () => saveRecord(folder, record);
    // What will be written over must not count any more, should we stop in between.
    await durable();
    const wrote = (end: number) => {
      record.received = end;
      record.expiresAt = clock.now() + limits.uploadAgeMs;
    };
    const path = bytesPath(folder, record.id);
    await writePiece({ path, offset, chunks, signal, permit: (end) => permit(record, end), wrote, durable });
  };

  const finish = async (entry: Entry, signal: AbortSignal) => {
    const { record } = entry;
    const sha256 = await sha256Of(bytesPath(folder, record.id), signal);
    if (record.wanted !== null && record.wanted !== sha256) {
      await entries.drop(entry);
      throw refusals.otherDigest(sha256);
    }
    const whole = { ...record, bytes: record.received, sha256, expiresAt: clock.now() + limits.spoolAgeMs };
    await saveRecord(folder, whole);
    entry.record = whole;
  };

  const take = async (file: NewFile, chunks: AsyncIterable<Uint8Array>): Promise<FileReport> => {
    const entry = await open(file);
    const work = async (signal: AbortSignal) => {
      await write(entry, 0, chunks, signal);
      const { received } = entry.record;
      if (file.bytes !== null && received < file.bytes) throw refusals.cutShort(received, file.bytes);
      await finish(entry, signal);
    };
    await orDrop(entry, entries.asWriter(entry, work));
    return reportOf(entry, clock.now());
  };

  const orDrop = (entry: Entry, work: Promise<void>) =>
    work.catch(async (thrown: unknown) => {
      await entries.drop(entry);
      throw diskFailure(thrown);
    });

  return {
    take,
    async create(file: NewFile): Promise<FileReport> {
      if (file.bytes === 0) return take(file, once(new Uint8Array(0)));
      const entry = await open(file);
      await orDrop(entry, saveRecord(folder, entry.record));
      return reportOf(entry, clock.now());
    },
    async append(entry: Entry, offset: number, chunks: AsyncIterable<Uint8Array>): Promise<FileReport> {
      const work = async (signal: AbortSignal) => {
        if (entry.record.sha256 !== null) return;
        if (offset > entry.record.received) throw refusals.gap(entry.record.received);
        await write(entry, offset, chunks, signal);
        if (entry.record.received === entry.record.bytes) await finish(entry, signal);
      };
      await entries.asWriter(entry, work).catch((thrown: unknown) => {
        throw diskFailure(thrown);
      });
      return reportOf(entry, clock.now());
    },
    /** What an earlier run had received to the last byte and not yet checked. */
    async finishLeft(): Promise<void> {
      for (const entry of entries.all()) {
        const { received, bytes, sha256 } = entry.record;
        if (sha256 !== null || received !== bytes) continue;
        await finish(entry, new AbortController().signal).catch(() => {});
      }
    },
  };
}

async function keepSwept(entries: Entries, clock: Clock): Promise<() => void> {
  await entries.sweep();
  let callOff = () => {};
  let stopped = false;
  const again = () => {
    if (!stopped) callOff = clock.after(sweepEveryMs, () => void entries.sweep().finally(again));
  };
  again();
  return () => {
    stopped = true;
    callOff();
  };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

function reportOf({ record }: Entry, asOf: number): FileReport {
  const { id, name, mediaType, received, sha256, expiresAt } = record;
  return { id, name, mediaType, bytes: record.bytes ?? received, received, sha256, expiresAt, asOf };
}
