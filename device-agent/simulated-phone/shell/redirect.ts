import { type ByteSink, type ByteSource, emptySource, nullSink } from "./byte-pipe.ts";
import type { ShellIo } from "./interpreter.ts";
import type { Redirection, Word } from "./syntax.ts";

/** Opens files for the shell. Both throw an Error whose message is the text of strerror. */
export interface ShellFiles {
  openForReading(path: string, cwd: string): ByteSource;
  openForWriting(path: string, cwd: string, isAppend: boolean): ByteSink;
}

export class RedirectionError extends Error {
  override name = "RedirectionError";
}

export async function openRedirections(
  redirections: readonly Redirection[],
  outer: ShellIo,
  files: ShellFiles,
  cwd: string,
  expand: (word: Word) => Promise<string>,
): Promise<ShellIo> {
  const io = { ...outer };
  for (const redirection of redirections) {
    const target = await expand(redirection.target);
    if (redirection.kind === "duplicate") duplicate(io, redirection.fd, target);
    else if (redirection.kind === "read") io.stdin = openSource(target, io, files, cwd);
    else setSink(io, redirection.fd, openSink(target, io, files, cwd, redirection.kind === "append"));
  }
  return io;
}

type MutableIo = { -readonly [Name in keyof ShellIo]: ShellIo[Name] };

function setSink(io: MutableIo, fd: number, sink: ByteSink): void {
  if (fd === 1) io.stdout = sink;
  else if (fd === 2) io.stderr = sink;
}

function duplicate(io: MutableIo, fd: number, target: string): void {
  if (target === "-") setSink(io, fd, nullSink);
  else if (target === "1") setSink(io, fd, io.stdout);
  else if (target === "2") setSink(io, fd, io.stderr);
  else if (target !== "0") throw new RedirectionError(`>&${target}: bad file descriptor`);
}

function openSource(path: string, io: MutableIo, files: ShellFiles, cwd: string): ByteSource {
  if (path === "/dev/null") return emptySource;
  if (path === "/dev/stdin") return io.stdin;
  try {
    return files.openForReading(path, cwd);
  } catch (error) {
    throw new RedirectionError(`can't open ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function openSink(path: string, io: MutableIo, files: ShellFiles, cwd: string, isAppend: boolean): ByteSink {
  if (path === "/dev/null") return nullSink;
  if (path === "/dev/stdout" || path === "/dev/tty") return io.stdout;
  if (path === "/dev/stderr") return io.stderr;
  try {
    return files.openForWriting(path, cwd, isAppend);
  } catch (error) {
    throw new RedirectionError(`can't create ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
