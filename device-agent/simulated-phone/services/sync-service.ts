import type { DuplexStream } from "../phone/duplex-stream.ts";
import { createExactReader, type ExactReader } from "../phone/exact-reader.ts";
import { FileError, type FileStat, type FileTree } from "../phone/file-tree.ts";
import type { Service } from "./service.ts";

/** File transfer, as in AOSP file_sync_protocol.h. */
const MAX_DATA_BYTES = 64 * 1024;
const MAX_PATH_BYTES = 1024;
const COMPRESSION_FLAGS = 0b111;

export const syncService: Service = async ({ incoming, phone }) => {
  const stream = incoming.accept();
  const reader = createExactReader(stream);
  for (let isOpen = true; isOpen; ) isOpen = await handleRequest(stream, reader, phone.files);
  await stream.end();
};

/** False when the conversation is over. */
async function handleRequest(stream: DuplexStream, reader: ExactReader, files: FileTree): Promise<boolean> {
  const header = await reader.take(8);
  if (!header) return false;
  const id = header.toString("latin1", 0, 4);
  const length = header.readUInt32LE(4);
  if (length > MAX_PATH_BYTES) {
    await stream.write(failure("invalid namelen"));
    return false;
  }
  const path = (await reader.take(length))?.toString("utf8");
  if (path === undefined || id === "QUIT") return false;
  const action = Object.hasOwn(REQUESTS, id) ? REQUESTS[id] : undefined;
  if (!action) {
    await stream.write(failure(`unknown command ${header.readUInt32LE(0).toString(16)}`));
    return false;
  }
  return action({ stream, reader, files, path });
}

interface Request {
  readonly stream: DuplexStream;
  readonly reader: ExactReader;
  readonly files: FileTree;
  readonly path: string;
}
type Action = (request: Request) => Promise<boolean>;

const answer =
  (bytes: (request: Request) => Buffer): Action =>
  async (request) => {
    await request.stream.write(bytes(request));
    return true;
  };

const REQUESTS: Record<string, Action> = {
  STAT: answer(({ files, path }) => statV1("STAT", files.lstat(path))),
  LST2: answer(({ files, path }) => statV2("LST2", files.lstat(path))),
  STA2: answer(({ files, path }) => statV2("STA2", files.stat(path))),
  LIST: answer(({ files, path }) => {
    const entries = entriesOf(files, path).map(({ name, stat }) =>
      Buffer.concat([statV1("DENT", stat), uint32(Buffer.byteLength(name)), Buffer.from(name)]),
    );
    return Buffer.concat([...entries, Buffer.from("DONE"), Buffer.alloc(16)]);
  }),
  LIS2: answer(({ files, path }) => {
    const entries = entriesOf(files, path).map(({ name, stat }) =>
      Buffer.concat([statV2("DNT2", stat), uint32(Buffer.byteLength(name)), Buffer.from(name)]),
    );
    return Buffer.concat([...entries, Buffer.from("DONE"), Buffer.alloc(72)]);
  }),
  SEND: async (request) => {
    const comma = request.path.lastIndexOf(",");
    const mode = Number(request.path.slice(comma + 1));
    return receiveFile(
      { ...request, path: comma < 0 ? request.path : request.path.slice(0, comma) },
      Number.isFinite(mode) ? mode : 0o644,
    );
  },
  SND2: async (request) => {
    const setup = await request.reader.take(12);
    if (!setup) return false;
    if ((setup.readUInt32LE(8) & COMPRESSION_FLAGS) !== 0) return refuse(request, "unsupported compression");
    return receiveFile(request, setup.readUInt32LE(4));
  },
  RECV: (request) => sendFile(request),
  RCV2: async (request) => {
    const setup = await request.reader.take(8);
    if (!setup) return false;
    return (setup.readUInt32LE(4) & COMPRESSION_FLAGS) === 0
      ? sendFile(request)
      : refuse(request, "unsupported compression");
  },
};

async function refuse({ stream }: Request, reason: string): Promise<boolean> {
  await stream.write(failure(reason));
  return false;
}

/** Takes DATA until DONE, also after a failure, so that the conversation can go on. */
async function receiveFile({ stream, reader, files, path }: Request, mode: number): Promise<boolean> {
  const temporary: Buffer[] = [];
  for (;;) {
    const header = await reader.take(8);
    if (!header) return false;
    const id = header.toString("latin1", 0, 4);
    const value = header.readUInt32LE(4);
    if (id === "DONE") {
      await stream.write(store(files, path, Buffer.concat(temporary), mode, value));
      return true;
    }
    if (id !== "DATA" || value > MAX_DATA_BYTES) {
      await stream.write(failure(id === "DATA" ? "oversize data message" : "invalid data message"));
      return false;
    }
    const data = await reader.take(value);
    if (!data) return false;
    temporary.push(Buffer.from(data));
  }
}

function store(files: FileTree, path: string, data: Buffer, mode: number, modifiedAtSeconds: number): Buffer {
  try {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (parent !== "" && !files.stat(parent)) files.makeDirectory(parent, true);
    files.write(path, data, { mode, modifiedAtSeconds });
    return Buffer.concat([Buffer.from("OKAY"), uint32(0)]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return failure(`couldn't create file: ${error.message}`);
  }
}

async function sendFile({ stream, files, path }: Request): Promise<boolean> {
  let data: Buffer;
  try {
    data = files.read(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await stream.write(failure(error.errno === 21 ? "read failed: Is a directory" : `open failed: ${error.message}`));
    return true;
  }
  for (let at = 0; at < data.length; at += MAX_DATA_BYTES) {
    const chunk = data.subarray(at, at + MAX_DATA_BYTES);
    await stream.write(Buffer.concat([Buffer.from("DATA"), uint32(chunk.length), chunk]));
  }
  await stream.write(Buffer.concat([Buffer.from("DONE"), uint32(0)]));
  return true;
}

function entriesOf(files: FileTree, path: string): { name: string; stat: FileStat }[] {
  try {
    const own = files.stat(path);
    return own ? [...[".", ".."].map((name) => ({ name, stat: own })), ...files.list(path)] : [];
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

function statV1(id: string, stat: FileStat | undefined): Buffer {
  return Buffer.concat([
    Buffer.from(id),
    uint32(stat?.mode ?? 0),
    uint32(stat?.bytes ?? 0),
    uint32(stat?.modifiedAtSeconds ?? 0),
  ]);
}

/** error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime. */
function statV2(id: string, stat: FileStat | undefined): Buffer {
  const bytes = Buffer.alloc(72);
  bytes.write(id, 0, "latin1");
  if (!stat) {
    bytes.writeUInt32LE(2, 4);
    return bytes;
  }
  bytes.writeBigUInt64LE(65_069n, 8);
  bytes.writeBigUInt64LE(BigInt(stat.inode), 16);
  bytes.writeUInt32LE(stat.mode, 24);
  bytes.writeUInt32LE(1, 28);
  bytes.writeUInt32LE(2000, 32);
  bytes.writeUInt32LE(2000, 36);
  bytes.writeBigUInt64LE(BigInt(stat.bytes), 40);
  for (const offset of [48, 56, 64]) bytes.writeBigInt64LE(BigInt(stat.modifiedAtSeconds), offset);
  return bytes;
}

function failure(message: string): Buffer {
  return Buffer.concat([Buffer.from("FAIL"), uint32(Buffer.byteLength(message)), Buffer.from(message)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
