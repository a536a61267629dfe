import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";

const MAX_BYTES = 1024 * 1024;
const launcher = ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"];

/**
 * Names of apps that their makers wrote out in the manifest instead of naming a resource, by package: the only names
 * that Android's shell tells (Android 7 and newer). Most apps name a resource and are not among them.
 */
export async function readWrittenLabels(
  runner: CommandRunner,
  user: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const query = commandLine("cmd", "package", "query-activities", "--user", user, ...launcher);
  const { output } = await runner.text(`${query} | grep -E '^ *(packageName|labelRes)='`, {
    signal,
    timeoutMs: 10_000,
    task: "name its apps",
    maxBytes: MAX_BYTES,
  });
  return parseWrittenLabels(output);
}

/**
 * `packageName=` and, below it, `labelRes=0x0 nonLocalizedLabel=Name icon=…` of each activity and then of its app
 * (PackageItemInfo.dumpFront). What the activity has goes before what the app has, a resource included.
 */
export function parseWrittenLabels(text: string): Map<string, string> {
  const labels = new Map<string, string | null>();
  let packageName = "";
  for (const line of text.split(/\r?\n/)) {
    packageName = /^\s*packageName=([\w.]+)\s*$/.exec(line)?.[1] ?? packageName;
    const label = /^\s*labelRes=0x([0-9a-f]+) nonLocalizedLabel=(.*) icon=0x/.exec(line);
    if (!label || labels.has(packageName)) continue;
    const [, resource, name = ""] = label;
    if (name !== "null" && name.trim() !== "") labels.set(packageName, name.trim());
    else if (resource !== "0") labels.set(packageName, null);
  }
  return new Map([...labels].flatMap(([name, label]) => (label === null ? [] : [[name, label] as const])));
}
