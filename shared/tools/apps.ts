import { z } from "zod";
import type { InstalledApp } from "../device.ts";
import { observeScreen } from "../screen/observe.ts";
import { quoteScreenText } from "../screen/untrusted-text.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { acted, lines, observe, ok, packageName } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

export const listApps = defineDeviceTool({
  name: "list_apps",
  title: "List apps",
  description: 'Lists installed apps: package, version, "name".',
  permission: "screen:read",
  effect: "read",
  timeoutMs: 20_000,
  input: z.strictObject({
    filter: z
      .enum(["user", "system", "all"])
      .default("user")
      .meta(forPeople("Installed by the user, part of the system, or both.")),
    contains: z
      .string()
      .max(100)
      .optional()
      .meta(
        forPeople("Part of the package or of the name. Names that the phone does not tell within 3 s are left out."),
      ),
    limit: z.number().int().min(1).max(500).default(200).meta(forPeople("Most packages to list.")),
    offset: z.number().int().min(0).default(0).meta(forPeople("next_offset of the page before.")),
  }),
  output: z.object({
    ok,
    apps: lines,
    total: z.number(),
    truncated: z.boolean(),
    next_offset: z.number().optional(),
  }),
  async handle({ device, signal }, { filter, contains, limit, offset }) {
    const part = contains?.toLowerCase() ?? "";
    const all = await device.listApps(filter, signal);
    const fitting = all
      .filter(({ packageName, label }) => `${packageName}\n${label ?? ""}`.toLowerCase().includes(part))
      .sort((a, b) => (a.packageName < b.packageName ? -1 : 1));
    const end = offset + limit;
    const truncated = end < fitting.length;
    const page = { apps: fitting.slice(offset, end).map(appLine), total: fitting.length, truncated };
    return { output: truncated ? { ok: true, ...page, next_offset: end } : { ok: true, ...page } };
  },
});

/** Version and name are written by the app: quoted, unless the version is a plain one. */
function appLine({ packageName, version, label }: InstalledApp): string {
  const plain = version === null ? "-" : /^[\w.+-]{1,40}$/.test(version) ? version : quoteScreenText(version);
  return `${packageName} ${plain}${label === null ? "" : ` ${quoteScreenText(label)}`}`;
}

export const openApp = defineDeviceTool({
  name: "open_app",
  title: "Open app",
  description: "Opens an app by package name (see list_apps) and waits until it is in front.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({ package: packageName, observe }),
  output: z.object({
    ...acted,
    package: z.string().nullable(),
    activity: z.string().nullable(),
    overlay: z.string().nullable(),
    other_launchers: lines.optional(),
  }),
  async handle(call, input) {
    const front = await call.device.startApp(input.package, call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    const told = {
      package: front.packageName,
      activity: front.activity,
      overlay: front.overlay,
      other_launchers: front.otherLaunchers,
    };
    return { output: { ok: front.packageName === input.package, ...told, observed }, pictures };
  },
});

export const stopApp = defineDeviceTool({
  name: "stop_app",
  title: "Stop app",
  description: "Stops an app at once; what it had not saved is lost.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 30_000,
  input: z.strictObject({ package: packageName, observe }),
  output: z.object(acted),
  async handle(call, input) {
    await call.device.stopApp(input.package, call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    return { output: { ok: true, observed }, pictures };
  },
});
