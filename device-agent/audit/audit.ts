/** One line of the audit file. Arguments are redacted before they come here. */
export interface AuditRecord {
  /** Milliseconds since 1970, at the call's arrival. */
  at: number;
  callId: string;
  principal: string;
  device: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** `ok` or the error's code. */
  outcome: string;
  ms: number;
}

export interface Audit {
  record(record: AuditRecord): void;
  close(): Promise<void>;
}
