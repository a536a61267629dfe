import { type DuplexStream, StreamClosedError } from "../phone/duplex-stream.ts";
import { createExactReader } from "../phone/exact-reader.ts";
import { type ByteSink, type ByteSource, createBytePipe } from "../shell/byte-pipe.ts";
import type { ShellIo } from "../shell/interpreter.ts";
import type { Service, ServiceRequest } from "./service.ts";

/** Packet ids of the shell protocol, AOSP shell_protocol.h. */
const Id = { STDIN: 0, STDOUT: 1, STDERR: 2, EXIT: 3, CLOSE_STDIN: 4 } as const;
const MAX_PACKET_BYTES = 1024 * 1024;
const END_OF_TRANSMISSION = 0x04;

/** `shell[,v2][,pty|raw][,TERM=x]:COMMAND`; without a command, an interactive shell. */
export const shellService: Service = async (request) => {
  const { argument, options, phone, incoming } = request;
  const hasProtocol = options.includes("v2");
  // adbd before Android 7 always used a terminal.
  const isPty = options.includes("pty") || (!options.includes("raw") && (argument === "" || phone.profile.sdk < 24));
  const stream = incoming.accept();
  const outputs = hasProtocol ? protocolOutputs(stream) : plainOutputs(stream);
  const stdout = isPty ? terminalSink(outputs.stdout) : outputs.stdout;
  const io: ShellIo = {
    stdin: hasProtocol ? protocolInput(stream) : stream,
    stdout,
    stderr: isPty ? stdout : outputs.stderr,
  };
  const status =
    argument === "" ? await interactive(request, io, isPty, stream) : await runCommand(request, io, stream);
  await outputs.exit(status);
  await stream.end();
};

/** `exec:COMMAND`: raw bytes, stderr among them. */
export const execService: Service = async (request) => {
  const stream = request.incoming.accept();
  const { stdout, stderr } = plainOutputs(stream);
  await runCommand(request, { stdin: stream, stdout, stderr }, stream);
  await stream.end();
};

async function runCommand({ shell, argument }: ServiceRequest, io: ShellIo, stream: DuplexStream): Promise<number> {
  return shell.run(argument, shell.newState(), io, stream.signal);
}

function plainOutputs(stream: DuplexStream) {
  const sink: ByteSink = { write: (bytes) => stream.write(bytes) };
  return { stdout: sink, stderr: sink, exit: async (_status: number) => {} };
}

function protocolOutputs(stream: DuplexStream) {
  const send = (id: number, data: Buffer) => {
    const header = Buffer.allocUnsafe(5);
    header.writeUInt8(id, 0);
    header.writeUInt32LE(data.length, 1);
    return stream.write(Buffer.concat([header, data]));
  };
  return {
    stdout: { write: (bytes: Buffer) => send(Id.STDOUT, bytes) },
    stderr: { write: (bytes: Buffer) => send(Id.STDERR, bytes) },
    exit: (status: number) => send(Id.EXIT, Buffer.from([status & 255])),
  };
}

/** The standard input inside the shell protocol's packets. */
function protocolInput(stream: DuplexStream): ByteSource {
  const pipe = createBytePipe();
  const reader = createExactReader(stream);
  async function pump(): Promise<void> {
    for (let header = await reader.take(5); header !== undefined; header = await reader.take(5)) {
      const length = header.readUInt32LE(1);
      if (length > MAX_PACKET_BYTES) return stream.destroy();
      const data = await reader.take(length);
      if (data === undefined) return;
      if (header[0] === Id.STDIN) await pipe.write(data);
      else if (header[0] === Id.CLOSE_STDIN) pipe.closeWriter();
    }
  }
  pump()
    .catch(() => stream.destroy())
    .finally(() => pipe.closeWriter());
  stream.signal.addEventListener("abort", () => pipe.closeReader(), { once: true });
  return pipe;
}

/** A terminal turns line feeds into carriage return and line feed. */
function terminalSink(sink: ByteSink): ByteSink {
  return { write: (bytes) => sink.write(Buffer.from(bytes.toString("latin1").replace(/\n/g, "\r\n"), "latin1")) };
}

async function interactive(
  request: ServiceRequest,
  io: ShellIo,
  isPty: boolean,
  stream: DuplexStream,
): Promise<number> {
  const { shell, phone } = request;
  const state = shell.newState();
  const prompt = () =>
    isPty
      ? io.stdout.write(Buffer.from(`${phone.properties.get("ro.product.device")}:${state.cwd} $ `))
      : Promise.resolve();
  let pending = "";
  await prompt();
  for (let chunk = await io.stdin.read(); chunk !== undefined; chunk = await io.stdin.read()) {
    const text = chunk.toString("utf8");
    if (isPty) await io.stdout.write(Buffer.from(text.replace(/\r/g, "\n")));
    if (chunk.includes(END_OF_TRANSMISSION)) break;
    const lines = (pending + text).split(/[\r\n]/);
    pending = lines.pop() ?? "";
    for (const line of lines) {
      const exit = /^\s*exit(?:\s+(\d+))?\s*$/.exec(line);
      if (exit) return Number(exit[1] ?? state.status);
      await shell.run(line, state, { ...io, stdin: { read: async () => undefined } }, stream.signal);
      await prompt();
    }
  }
  return pending === "" ? state.status : shell.run(pending, state, io, stream.signal);
}

export function isHangUp(error: unknown): boolean {
  return error instanceof StreamClosedError || (error instanceof Error && error.name === "AbortError");
}
