import type { FileReport } from "../../shared/link/file-streams.ts";
import type { KeptFiles } from "../../shared/tools/define-tool.ts";

/** A principal, as the gateway names it. */
export interface FileOwner {
  tenant: string;
  subject: string;
}

export interface FileAbout {
  owner: FileOwner;
  name: string;
  /** `type/subtype`. */
  mediaType: string;
}

export interface NewFile extends FileAbout {
  /** Null: as many as come. */
  bytes: number | null;
  /** In lower-case hex, checked at the last byte; null: whatever comes is right. */
  sha256: string | null;
}

export type WholeFile = FileReport & { sha256: string };

/**
 * Files that are kept for callers for a while: uploads, and what Tasks made. A file is its owner's alone; for anybody
 * else it is `target_not_found`, as is one that expired. What counts as whole was written and checked to its last byte,
 * whenever the process or the machine stopped.
 */
export interface Spool {
  /** Keeps bytes that are there already. Throws `too_large` when there is no room. */
  put(bytes: Uint8Array, about: FileAbout): Promise<WholeFile>;
  /** Keeps room for a file that comes in pieces, see `append`. Throws `too_large`. */
  create(file: NewFile): Promise<FileReport>;
  /** Takes a whole file; when its bytes stop early, or are not right, nothing is left of it. */
  take(file: NewFile, chunks: AsyncIterable<Uint8Array>): Promise<FileReport>;
  /**
   * Adds a piece that begins anywhere in what is there; a later call takes over from an earlier one. What came before a
   * failure is kept. A whole file stays as it is. Throws `invalid_argument` for a gap, for too many bytes, and for a
   * wrong SHA-256, which removes the file.
   */
  append(owner: FileOwner, id: string, offset: number, chunks: AsyncIterable<Uint8Array>): Promise<FileReport>;
  report(owner: FileOwner, id: string): FileReport;
  /** Throws `invalid_argument` while the file is not whole. */
  read(owner: FileOwner, id: string, range: { offset: number; length: number }): AsyncIterable<Uint8Array>;
  remove(owner: FileOwner, id: string): Promise<void>;
  /** The same files as the handlers of tools see them. */
  of(owner: FileOwner): KeptFiles;
  /** What is under way is cut and kept. */
  stop(): Promise<void>;
}
