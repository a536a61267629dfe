import { envName, flagName, type Option } from "../shared/options.ts";
import type { Command } from "./commands.ts";
import { listCommands } from "./find-command.ts";

export function overview(commands: Record<string, Command>): string[] {
  const rows = listCommands(commands);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "farhand gives an AI client a hand on an Android phone.",
    "",
    "Usage: farhand <command> [options]",
    "",
    ...rows.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "farhand <command> --help tells a command's options. Each option is also an environment variable and a key of the",
    "configuration file; the later wins: default, file, environment, option.",
  ];
}

export function commandHelp(name: string, command: Command): string[] {
  const rows = Object.entries(command.options).map(
    ([option, told]) => [usage(option, told), told.description] as const,
  );
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return [
    command.summary,
    "",
    `Usage: farhand ${name} [options]`,
    ...listCommands(command.subcommands ?? {}).map(
      ([word, { summary }]) => `       farhand ${name} ${word}: ${summary}`,
    ),
    "",
    ...rows.flatMap(([left, right]) =>
      left.length > width ? [`  ${left}`, `  ${" ".repeat(width)}  ${right}`] : [`  ${left.padEnd(width)}  ${right}`],
    ),
    `  ${"--config FILE".padEnd(width)}  JSON file with the options by their names in camelCase.`,
    `  ${"--help".padEnd(width)}  This text.`,
    "",
    `Environment: ${Object.keys(command.options).map(envName).join(" ")}`,
  ];
}

function usage(name: string, option: Option): string {
  return option.placeholder ? `${flagName(name)} ${option.placeholder}` : flagName(name);
}
