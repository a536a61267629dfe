import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError, adbFailure, isConnectionLoss, UnansweredOpen } from "../errors.ts";
import type { Connect, PhoneConnection } from "../phones/connection.ts";
import { withDeadline } from "./deadline.ts";
import { runMarkedShell } from "./marked-shell.ts";
import { ByteCollector, type Collector } from "./read-socket.ts";
import { type Collectors, type CommandResult, runShellV2 } from "./shell-v2.ts";

export interface RunOptions {
  signal: AbortSignal;
  timeoutMs: number;
  /** Completes "The phone did not … in time." */
  task: string;
  /** A loss in the middle is then `outcome_unknown`, not `device_offline`. */
  writes?: boolean;
  maxBytes?: number;
  /** In place of keeping everything up to `maxBytes`. */
  collectors?: Collectors;
}

/** Runs commands on one phone, each on the ADB transport that is current at that moment. */
export interface CommandRunner {
  /** Throws CodedError; `exit` in a command hides its end on old phones. An exit code other than 0 is no error here: phones disagree too much about them. */
  run(command: string, options: RunOptions): Promise<CommandResult>;
  /** stdout and stderr as one text, with the exit code. */
  text(command: string, options: RunOptions): Promise<{ output: string; exitCode: number }>;
  /** Several commands in one round trip; the answers (stderr included) in the same order. */
  sections(commands: string[], options: RunOptions): Promise<string[]>;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

export function createCommandRunner(parts: { connect: Connect; clock: Clock; random: () => number }): CommandRunner {
  const { connect, clock, random } = parts;
  const mark = () => `fh${Array.from({ length: 24 }, () => Math.floor(random() * 16).toString(16)).join("")}`;
  const withoutExec = new WeakSet<readonly string[]>();

  const runOld = async (connection: PhoneConnection, command: string, signal: AbortSignal, stdout: Collector) => {
    if (withoutExec.has(connection.features))
      return runMarkedShell(connection, "shell", command, mark(), signal, stdout);
    try {
      return await runMarkedShell(connection, "exec", command, mark(), signal, stdout);
    } catch (error) {
      // Before Android 5 adbd has no exec service and refuses to open it: nothing ran.
      if (!(error instanceof CodedError && error.code === "unsupported")) throw error;
      withoutExec.add(connection.features);
      return runMarkedShell(connection, "shell", command, mark(), signal, stdout);
    }
  };

  const run = async (command: string, options: RunOptions): Promise<CommandResult> => {
    const { timeoutMs: ms, signal, task, writes = false, maxBytes = DEFAULT_MAX_BYTES } = options;
    const kept = () => new ByteCollector(maxBytes);
    const collectors = options.collectors ?? { stdout: kept(), stderr: kept() };
    let opened = false;
    return withDeadline({ clock, ms, signal, task }, async (own) => {
      try {
        const connection = noticeOpen(await connect(own), () => {
          opened = true;
        });
        refuseTooLong(command, connection);
        if (connection.features.includes("shell_v2")) return await runShellV2(connection, command, own, collectors);
        return await runOld(connection, command, own, collectors.stdout);
      } catch (error) {
        if (own.aborted) throw abortError(own);
        const failure = adbFailure(error);
        const mayHaveRun = opened || failure.cause instanceof UnansweredOpen;
        if (!(writes && mayHaveRun && isConnectionLoss(failure))) throw failure;
        throw new CodedError("outcome_unknown", "The connection to the phone was lost while it did this.", {
          cause: error,
        });
      }
    });
  };

  const text: CommandRunner["text"] = async (command, options) => {
    const { stdout, stderr, exitCode } = await run(command, options);
    return { output: decode(stdout) + decode(stderr), exitCode };
  };

  return {
    run,
    text,
    async sections(commands, options) {
      const separator = mark();
      const line = commands.map((command) => `${command} 2>&1; echo ${separator}`).join("; ");
      const { output } = await text(line, options);
      const found = output.split(separator);
      return commands.map((_, index) => (found[index] ?? "").replace(/^\r?\n/, ""));
    },
  };
}

function noticeOpen(connection: PhoneConnection, opened: () => void): PhoneConnection {
  const open: PhoneConnection["open"] = async (service, signal) => {
    const socket = await connection.open(service, signal);
    opened();
    return socket;
  };
  const { features, maxServiceBytes, adb } = connection;
  return { features, maxServiceBytes, adb, open };
}

/** ADB writes the length in 16 bits; a longer string would be cut without a word and its rest run as garbage. */
function refuseTooLong(command: string, connection: PhoneConnection): void {
  if (Buffer.byteLength(command) + 100 <= connection.maxServiceBytes) return;
  throw new CodedError("too_large", "The command for the phone is too long.", { hint: "Send less at a time." });
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
