import type { ToDeviceAgent } from "../../shared/link/messages.ts";
import type { ByteStream } from "../../shared/link/stream.ts";
import type { Permission } from "../../shared/permissions.ts";
import type { Effect } from "../../shared/tools/define-tool.ts";

/** Where a call goes: one phone of one device agent. */
export interface RelayTarget {
  deviceAgentId: string;
  /** The device agent's own key of the phone. */
  deviceKey: string;
}

export interface RelayCall {
  id: string;
  tool: string;
  /** Of the tool's schemas; a device agent with another one cannot serve the call. */
  toolDigest: string;
  effect: Effect;
  arguments: Record<string, unknown>;
  /** Of tool, device and arguments. */
  digest: string;
  principal: { tenant: string; subject: string };
  scopes: readonly Permission[];
  /** From now until the caller has to be answered. */
  timeoutMs: number;
}

export interface RelayPicture {
  mimeType: string;
  width: number;
  height: number;
  bytes: Uint8Array;
}

export interface RelayAnswer {
  output: Record<string, unknown>;
  pictures: RelayPicture[];
}

export interface ProgressReport {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface CallOptions {
  onProgress?: ((report: ProgressReport) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface StreamRequest {
  kind: string;
  arguments: Record<string, unknown>;
  /** How long the device agent may take to dial in. */
  timeoutMs: number;
}

/** Owns the links to device agents and carries calls over them. Everything rejects with CodedError only. */
export interface Relay {
  /**
   * Carries one call and resolves with its answer. A lost link is waited for; a read is then sent again, a write only
   * if the device agent proves that it never saw it, else `outcome_unknown`. A call whose id is already under way
   * shares that one's answer.
   */
  call(target: RelayTarget, call: RelayCall, options?: CallOptions): Promise<RelayAnswer>;
  /** Which of these device agents have a link now. */
  online(deviceAgentIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Sends one message without an answer; false when there is no link, and then it is lost. */
  notify(deviceAgentId: string, message: ToDeviceAgent): Promise<boolean>;
  /** Has the device agent dial a socket of its own for bytes. */
  openStream(target: RelayTarget, request: StreamRequest, signal?: AbortSignal): Promise<ByteStream>;
}
