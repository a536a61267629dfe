import type { Intent } from "../apps/app.ts";

export interface ParsedIntent {
  readonly intent: Intent;
  /** Flags of the command that are not part of the intent, such as `-W`. */
  readonly options: ReadonlySet<string>;
  readonly problem?: string;
}

const EXTRA_TYPES = new Set(["--es", "-e", "--ei", "--ez", "--el", "--ef", "--eu", "--ecn", "--esa", "--eia"]);
const WITH_VALUE = new Set([
  "--user",
  "--display",
  "-t",
  "--windowingMode",
  "--activityType",
  "-i",
  "--sampling",
  "-P",
  "--track-allocation",
]);

/** Reads the intent arguments of `am` and `cmd package`, as android.content.Intent.parseCommandArgs does. */
export function parseIntent(args: readonly string[]): ParsedIntent {
  const intent: { -readonly [Name in keyof Intent]: Intent[Name] } = {};
  const extras = new Map<string, string>();
  const categories: string[] = [];
  const options = new Set<string>();
  let problem: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    const value = () => args[++at] ?? "";
    if (argument === "-a") intent.action = value();
    else if (argument === "-d") intent.data = value();
    else if (argument === "-c") categories.push(value());
    else if (argument === "-p") intent.packageName = value();
    else if (argument === "-f") intent.flags = Number(value());
    else if (argument === "-n") {
      const name = value();
      const component = parseComponent(name);
      if (component) intent.component = component;
      else problem = `Bad component name: ${name}`;
    } else if (EXTRA_TYPES.has(argument)) {
      const key = value();
      extras.set(key, value());
    } else if (WITH_VALUE.has(argument)) at++;
    else if (argument.startsWith("-")) options.add(argument);
    else Object.assign(intent, fromOperand(argument));
  }
  if (categories.length > 0) intent.categories = categories;
  if (extras.size > 0) intent.extras = extras;
  return { intent, options, ...(problem !== undefined && { problem }) };
}

/** A bare argument is a component, a URI or a package name. */
function fromOperand(text: string): Partial<Intent> {
  const component = parseComponent(text);
  if (component) return { component };
  if (text.includes(":")) return { action: "android.intent.action.VIEW", data: text };
  return { packageName: text };
}

export function parseComponent(text: string): { packageName: string; activity: string } | undefined {
  const [packageName = "", activity = "", ...rest] = text.split("/");
  if (packageName === "" || activity === "" || rest.length > 0 || packageName.includes(":")) return undefined;
  return { packageName, activity: activity.startsWith(".") ? packageName + activity : activity };
}

/** `Intent { act=… cmp=… }`. */
export function intentText(
  { action, data, categories, packageName, component, extras }: Intent,
  short: (name: { packageName: string; activity: string }) => string,
): string {
  const parts = [
    action && `act=${action}`,
    categories && `cat=[${categories.join(",")}]`,
    data && `dat=${data.replace(/^(\w+:\/\/[^/]+).*$/, "$1/...")}`,
    packageName && `pkg=${packageName}`,
    component && `cmp=${short(component)}`,
    extras && "(has extras)",
  ];
  return `Intent { ${parts.filter(Boolean).join(" ")} }`;
}
