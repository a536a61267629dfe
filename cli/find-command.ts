import type { Command } from "./commands.ts";

export interface FoundCommand {
  /** All of its words. */
  name: string;
  command: Command;
  /** What follows them. */
  rest: string[];
}

/** The command that the first words name, its subcommands included; undefined when there is none. */
export function findCommand(commands: Record<string, Command>, args: readonly string[]): FoundCommand | undefined {
  const [word = "", ...rest] = args;
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (!command) return undefined;
  const inner = findCommand(command.subcommands ?? {}, rest);
  return inner ? { ...inner, name: `${word} ${inner.name}` } : { name: word, command, rest };
}

/** A command's name and what it is, for each of them and each of their subcommands, in order. */
export function listCommands(commands: Record<string, Command>): [name: string, command: Command][] {
  return Object.entries(commands).flatMap(([word, command]) => [
    [word, command],
    ...listCommands(command.subcommands ?? {}).map(([name, one]): [string, Command] => [`${word} ${name}`, one]),
  ]);
}
