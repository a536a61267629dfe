import type { SettingsNamespace } from "../phone/settings-store.ts";
import { exceptionText, type Program, type ProgramContext } from "./program.ts";

const NAMESPACES: readonly string[] = ["system", "secure", "global"];

function isNamespace(text: string): text is SettingsNamespace {
  return NAMESPACES.includes(text);
}

/** `settings get|put|delete|list`. */
export const settingsCommand: Program = async (context) => {
  const args = context.args[0] === "--user" ? context.args.slice(2) : context.args;
  const rest = args.filter((argument, index) => argument !== "--user" && args[index - 1] !== "--user");
  const [verb = "", namespace = "", key, ...values] = rest;
  if (!["get", "put", "delete", "list", "reset"].includes(verb))
    return fail(context, verb === "" ? "Invalid command" : `Unknown command: ${verb}`);
  if (!isNamespace(namespace)) return fail(context, `Invalid namespace '${namespace}'`);
  const { settings } = context.phone;
  if (verb === "list") {
    for (const [name, value] of settings.list(namespace)) await context.print(`${name}=${value}\n`);
    return 0;
  }
  if (key === undefined) return fail(context, "Bad arguments");
  if (verb === "get") await context.print(`${settings.get(namespace, key) ?? "null"}\n`);
  else if (isRefused(context, namespace)) return refuse(context);
  else if (verb === "delete") await context.print(`Deleted ${settings.delete(namespace, key) ? 1 : 0} rows\n`);
  else if (values[0] === undefined) return fail(context, "Bad arguments");
  else settings.put(namespace, key, values[0]);
  return 0;
};

function isRefused({ phone }: ProgramContext, namespace: SettingsNamespace): boolean {
  return phone.profile.quirks.secureSettingsDenied === true && namespace !== "system";
}

async function refuse(context: ProgramContext): Promise<number> {
  const exception =
    "java.lang.SecurityException: Permission denial, must have one of: [android.permission.WRITE_SECURE_SETTINGS]";
  await context.printError(
    exceptionText("put", exception, [
      "com.android.providers.settings.SettingsProvider.enforceWritePermission(SettingsProvider.java:2328)",
    ]),
  );
  return 255;
}

async function fail(context: ProgramContext, reason: string): Promise<number> {
  await context.printError(`${reason}\n`);
  return 255;
}
