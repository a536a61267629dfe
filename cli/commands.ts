import type { OptionTable } from "../shared/options.ts";

/** What a command gets from the command line. Resolves with the process's exit code. */
export interface CommandInput {
  /** Of the product. */
  version: string;
  flags: Record<string, string | boolean>;
  env: Record<string, string | undefined>;
  /** The configuration file's object, or {}. */
  file: Record<string, unknown>;
  stdout: (line: string) => void;
  stderr: (line: string) => void;
  /** Aborts on the first SIGINT or SIGTERM, or when the parent that asked for it is gone. */
  stop: AbortSignal;
}

export interface Command {
  summary: string;
  options: OptionTable;
  run(input: CommandInput): Promise<number>;
  /** By the word behind the command. */
  subcommands?: Record<string, Command>;
}
