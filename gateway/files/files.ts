import type { FileReport } from "../../shared/link/file-streams.ts";

/** Whose a file is, and where: the device names the phone under whose owner's policy it is kept. */
export interface FileHolder {
  tenant: string;
  subject: string;
  deviceAgentId: string;
  deviceId: string;
}

/** Which device agent keeps a file, and what is known of it. Instants are milliseconds since 1970 by the gateway's clock. */
export interface FileRow extends FileHolder {
  id: string;
  name: string;
  /** `type/subtype`. */
  mediaType: string;
  bytes: number;
  /** In lower-case hex; null while the file is not known to be whole. */
  sha256: string | null;
  madeAt: number;
  expiresAt: number;
}

/** The files that device agents keep for callers, in the store. The bytes stay with the device agent. */
export interface Files {
  /**
   * Adds or updates the row of what a device agent reported. A row of the same id and another holder stays as it is: no
   * device agent may speak for a file that it does not have.
   */
  register(report: FileReport, holder: FileHolder): Promise<FileRow>;
  /** Null also for one that expired. */
  find(id: string): Promise<FileRow | null>;
  remove(id: string): Promise<void>;
}
