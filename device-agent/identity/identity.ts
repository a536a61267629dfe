/** Who this installation is, and how often it dialled. */
export interface Identity {
  /** Random, made once per data directory. */
  installId: string;
  /** Random, made at each start of the process. */
  bootId: string;
  /** Grows with every call, across restarts; stored before it resolves. */
  nextConnectSeq(): Promise<number>;
}
