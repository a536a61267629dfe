import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { flagName, OptionError, type OptionTable } from "../shared/options.ts";

export interface Arguments {
  flags: Record<string, string | boolean>;
  file: Record<string, unknown>;
  help: boolean;
}

/** Reads a command's flags and its configuration file. Throws OptionError. */
export function readArguments(args: string[], table: OptionTable, env: Record<string, string | undefined>): Arguments {
  const byFlag = new Map(Object.keys(table).map((name) => [flagName(name).slice(2), name]));
  const options = Object.fromEntries([
    ...[...byFlag].map(([flag, name]) => [flag, { type: table[name]?.placeholder ? "string" : "boolean" }] as const),
    ["config", { type: "string" }] as const,
    ["help", { type: "boolean", short: "h" }] as const,
  ]);
  const { config, help, ...given } = parse(args, options);
  const flags = Object.fromEntries(Object.entries(given).map(([flag, value]) => [byFlag.get(flag) ?? flag, value]));
  const path = config ?? env.FARHAND_CONFIG;
  return { flags, help: help === true, file: typeof path === "string" && path !== "" ? readConfiguration(path) : {} };
}

function parse(args: string[], options: Record<string, { type: "string" | "boolean" }>) {
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
    return values as Record<string, string | boolean>;
  } catch (thrown) {
    // The first sentence of Node's text names the option; the rest is advice on escaping.
    const text = thrown instanceof Error ? thrown.message.split(/[.\n]/)[0] : String(thrown);
    throw new OptionError([`${text}. Run with --help to see the options.`]);
  }
}

function readConfiguration(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new OptionError([`The configuration file ${path} cannot be read (${codeOf(cause)}).`]);
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    throw new OptionError([`The configuration file ${path} is not JSON.`]);
  }
  throw new OptionError([`The configuration file ${path} must hold one JSON object.`]);
}

function codeOf(thrown: unknown): string {
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "unknown";
}
