import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import {
  type FileReport,
  type FileStreamArguments,
  type FileStreamKind,
  fileReportSchema,
} from "../../shared/link/file-streams.ts";
import type { ByteStream } from "../../shared/link/stream.ts";
import type { Principal } from "../auth/principal.ts";
import type { DirectoryDevice } from "../directory.ts";
import type { DirectoryCache } from "../directory-cache.ts";
import type { Relay } from "../relay/relay.ts";
import { resolveDevice, visibleDevices } from "../resolve-device.ts";
import type { ByteRange } from "./byte-range.ts";
import type { FileRow, Files } from "./files.ts";
import { receiveBytes } from "./receive-bytes.ts";
import { sendBody } from "./send-body.ts";

export interface TransfersDeps {
  relay: Pick<Relay, "openStream">;
  cache: Pick<DirectoryCache, "devices">;
  files: Files;
  clock: Clock;
  randomId: () => string;
}

/** One request of a principal. */
export interface Caller {
  principal: Principal;
  callId: string;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

export type Body = ReadableStream<Uint8Array> | null;
export type NewFile = Pick<FileStreamArguments<"file_create">, "name" | "mediaType" | "bytes" | "sha256" | "whole">;

/** A file of the caller, and the device under which it is kept. */
export interface OwnFile {
  row: FileRow;
  device: DirectoryDevice;
}

/** Files between clients and device agents; nothing of them stays here but their rows. Throws CodedError. */
export interface Transfers {
  /** The device by id or name, as for tools. Throws `device_not_found`, `invalid_argument`. */
  device(caller: Caller, wanted: string | undefined): DirectoryDevice;
  create(caller: Caller, device: DirectoryDevice, file: NewFile, body: Body): Promise<FileReport>;
  /** Throws `target_not_found`, the same for a file of somebody else and for none at all. */
  find(caller: Caller, id: string): Promise<OwnFile>;
  append(caller: Caller, file: OwnFile, piece: ByteRange, body: Body): Promise<FileReport>;
  report(caller: Caller, file: OwnFile): Promise<FileReport>;
  read(caller: Caller, file: OwnFile, range: ByteRange): Promise<ReadableStream<Uint8Array>>;
  remove(caller: Caller, file: OwnFile): Promise<void>;
}

/** How long a device agent may take to bring a stream. */
const openWithinMs = 10_000;

export function createTransfers(deps: TransfersDeps): Transfers {
  const { relay, cache, files, clock } = deps;
  const visibleTo = ({ principal }: Caller) => visibleDevices(cache.devices(), principal);

  const open = <K extends FileStreamKind>(
    { principal: { tenant, subject }, callId, signal }: Caller,
    device: DirectoryDevice,
    kind: K,
    args: Omit<FileStreamArguments<K>, "principal" | "callId">,
  ): Promise<ByteStream> => {
    const target = { deviceAgentId: device.deviceAgentId, deviceKey: device.key };
    const request = { kind, arguments: { principal: { tenant, subject }, callId, ...args }, timeoutMs: openWithinMs };
    return relay.openStream(target, request, signal);
  };

  /** What the device agent does not have, we need not list. */
  const orForget = <T>({ row }: OwnFile, work: Promise<T>): Promise<T> =>
    work.catch(async (thrown: unknown) => {
      if (thrown instanceof CodedError && thrown.code === "target_not_found") await files.remove(row.id);
      throw thrown;
    });

  const register = async (caller: Caller, device: DirectoryDevice, answer: Uint8Array): Promise<FileReport> => {
    const report = readReport(answer);
    const { tenant, subject } = caller.principal;
    const holder = { tenant, subject, deviceAgentId: device.deviceAgentId, deviceId: device.id };
    // Told by our clock.
    return { ...report, expiresAt: (await files.register(report, holder)).expiresAt };
  };

  return {
    device: (caller, wanted) => resolveDevice(visibleTo(caller), wanted, clock.now()),

    async create(caller, device, file, body) {
      const stream = await open(caller, device, "file_create", file);
      const answer = await sendBody(body, stream, { ...deps, mostBytes: limits.downloadBytes, tooMany: tooLarge });
      return register(caller, device, answer);
    },

    async find(caller, id) {
      const { tenant, subject } = caller.principal;
      const row = await files.find(id);
      const device = visibleTo(caller).find((one) => one.id === row?.deviceId);
      if (row && device && row.tenant === tenant && row.subject === subject) return { row, device };
      throw new CodedError("target_not_found", "There is no such file; it may have expired.", {
        hint: "Upload it with POST /files, and use the id that comes back.",
      });
    },

    append(caller, file, piece, body) {
      const work = async () => {
        const args = { file: file.row.id, offset: piece.offset };
        const stream = await open(caller, file.device, "file_append", args);
        const answer = await sendBody(body, stream, { ...deps, mostBytes: piece.length, tooMany: moreThanSaid });
        return register(caller, file.device, answer);
      };
      return orForget(file, work());
    },

    report(caller, file) {
      const work = async () => {
        const stream = await open(caller, file.device, "file_report", { file: file.row.id });
        return register(caller, file.device, await answerOf(stream, deps));
      };
      return orForget(file, work());
    },

    read(caller, file, { offset, length }) {
      const work = async () => {
        const stream = await open(caller, file.device, "file_read", { file: file.row.id, offset, length });
        return receiveBytes(stream, { length, clock });
      };
      return orForget(file, work());
    },

    async remove(caller, file) {
      const work = async () => {
        await answerOf(await open(caller, file.device, "file_remove", { file: file.row.id }), deps);
      };
      await work().catch((thrown: unknown) => {
        const isGone = thrown instanceof CodedError && thrown.code === "target_not_found";
        if (!isGone) throw thrown;
      });
      await files.remove(file.row.id);
    },
  };
}

/** For a stream that takes no bytes. */
function answerOf(stream: ByteStream, deps: { clock: Clock; randomId: () => string }): Promise<Uint8Array> {
  return sendBody(null, stream, { ...deps, mostBytes: 0, tooMany: moreThanSaid });
}

function readReport(answer: Uint8Array): FileReport {
  try {
    return fileReportSchema.parse(JSON.parse(new TextDecoder().decode(answer)));
  } catch (cause) {
    throw new CodedError("internal", "The device agent's answer cannot be read.", { cause });
  }
}

const tooLarge = () =>
  new CodedError("too_large", `One file may have ${limits.downloadBytes} bytes at most.`, {
    hint: "Split the file, or let install_app fetch it from an address.",
  });
const moreThanSaid = () => new CodedError("invalid_argument", "The body has more bytes than Content-Range says.");
