#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { envName, OptionError } from "../shared/options.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./commands.ts";
import { deviceAgentCommand } from "./device-agent.ts";
import { findCommand, listCommands } from "./find-command.ts";
import { gatewayCommand } from "./gateway.ts";
import { commandHelp, overview } from "./help.ts";
import { up } from "./up.ts";

const commands: Record<string, Command> = { up, gateway: gatewayCommand, "device-agent": deviceAgentCommand };
const say = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const [first = ""] = args;
  if (first === "--version") return print([version()]);
  if (["", "--help", "-h", "help"].includes(first)) return print(overview(commands));
  const found = findCommand(commands, args);
  if (!found) {
    complain(`farhand: there is no command "${first}". Run farhand --help to see the commands.`);
    return 2;
  }
  const { name, command, rest } = found;
  try {
    const { flags, file, help } = readArguments(rest, command.options, process.env);
    if (help) return print(commandHelp(name, command));
    refuseUnknownVariables(process.env);
    const stop = stopSignal(process.env.FARHAND_EXIT_WITH_PARENT === "1");
    const input = { version: version(), flags, file, env: process.env, stdout: say, stderr: complain, stop };
    return await command.run(input);
  } catch (thrown) {
    if (!(thrown instanceof OptionError)) throw thrown;
    for (const problem of thrown.problems) complain(`farhand ${name}: ${problem}`);
    return 2;
  }
}

function print(lines: string[]): number {
  for (const line of lines) say(line);
  return 0;
}

function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String((JSON.parse(text) as { version: unknown }).version);
}

/** A misspelt variable would be ignored silently; all commands share one environment, so any command's name is fine. */
function refuseUnknownVariables(env: Record<string, string | undefined>): void {
  const options = listCommands(commands).flatMap(([, { options: own }]) => Object.keys(own));
  const known = new Set([...options.map(envName), "FARHAND_CONFIG", "FARHAND_EXIT_WITH_PARENT"]);
  const foreign = /^FARHAND_(TEST_|CAPTURES$)/;
  const unknown = Object.keys(env).filter((key) => key.startsWith("FARHAND_") && !known.has(key) && !foreign.test(key));
  if (unknown.length > 0) throw new OptionError(unknown.map((key) => `${key}: there is no such setting.`));
}

/** Aborts on the first signal; a second one ends the process at once. */
function stopSignal(withParent: boolean): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  if (withParent) {
    process.stdin.once("close", stop).resume();
    // Listening for the parent's end must not be what keeps this process alive.
    if (process.stdin instanceof Socket) process.stdin.unref();
  }
  return controller.signal;
}
