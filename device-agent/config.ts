import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { OptionTable, OptionValues } from "../shared/options.ts";
import type { Permission } from "../shared/permissions.ts";
import { componentPattern, shortComponent } from "./adb/text/component-name.ts";

const onOff = z.union([z.boolean(), z.stringbool("must be true or false")]).default(false);

/** Text with commas, or a list in the configuration file. */
const list = z.union([z.array(z.string()), z.string().transform(splitAt(","))]);

const grantNames = {
  read: "screen:read",
  write: "screen:write",
  danger: "device:danger",
} as const satisfies Record<string, Permission>;
const grant = z
  .enum(["read", "write", "danger"], "must be a list of read, write, danger")
  .transform((name) => grantNames[name]);
const grants = list.pipe(z.array(grant));

/** `serial=write,danger;other=write`, or an object in the configuration file. A serial may hold an equals sign. */
const grantsBySerial = z
  .union([z.record(z.string(), list), z.string().transform(readGrantsBySerial)], "must look like SERIAL=write,danger")
  .pipe(z.record(z.string(), z.array(grant)));

/** `https://host:port`, as URLs are told apart by it. */
const origin = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must look like https://host:port")
  .transform((text) => new URL(text).origin);

/** What RFC 6750 lets a bearer token hold; a static one has 32 to 256 characters, a signed one more. */
const tokenText = z.string().regex(/^[\x21-\x7e]{32,4096}$/, "must be at least 32 printable characters without spaces");

const port = z.coerce.number("must be a number").int().min(1).max(65_535);

export const deviceAgentOptions = {
  gateway: {
    schema: z.string("is needed: the gateway's address, like https://gateway.example").min(1),
    placeholder: "URL",
    description: "Address of the gateway that this device agent dials.",
  },
  token: {
    schema: tokenText.optional(),
    placeholder: "TOKEN",
    secret: true,
    description: "Token for the gateway. A file is safer: an argument shows in the list of processes.",
  },
  tokenFile: {
    schema: z.string().min(1).optional(),
    placeholder: "FILE",
    description: "File that holds the token.",
  },
  dataDir: {
    schema: z
      .string()
      .min(1)
      .default(join(homedir(), ".farhand", "device-agent")),
    placeholder: "DIR",
    description: "Where identity, policy, journal and audit are kept (~/.farhand/device-agent).",
  },
  name: {
    schema: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .default(hostname().slice(0, 64) || "device agent"),
    placeholder: "NAME",
    description: "What operators see; the machine's name when left out.",
  },
  phones: {
    schema: z.enum(["auto", "adb", "direct"]).default("auto"),
    placeholder: "auto|adb|direct",
    description: "Where phones come from: an adb server, the addresses of --direct, or both (auto).",
  },
  adbHost: {
    schema: z.string().min(1).default("127.0.0.1"),
    placeholder: "ADDRESS",
    description: "Where the adb server is (127.0.0.1).",
  },
  adbPort: { schema: port.default(5037), placeholder: "N", description: "Port of the adb server (5037)." },
  adbSocket: {
    schema: z.string().min(1).optional(),
    placeholder: "PATH",
    description: "Unix socket of the adb server, in place of address and port.",
  },
  direct: {
    schema: list.pipe(z.array(z.string().regex(/^.+:\d{1,5}$/, "must be a list of HOST:PORT"))).default([]),
    placeholder: "HOST:PORT,…",
    description: "Phones to dial without an adb server.",
  },
  scrcpyServer: {
    schema: z.string().min(1).optional(),
    placeholder: "FILE",
    description:
      "scrcpy-server 3.3.1 in place of the bundled one: fast touches, pinch, the clipboard, text beyond ASCII, app names.",
  },
  helperKeyboard: {
    schema: z
      .string()
      .regex(componentPattern, "must look like com.android.adbkeyboard/.AdbIME")
      .transform(shortComponent)
      .optional(),
    placeholder: "COMPONENT",
    description:
      "Input method like com.android.adbkeyboard/.AdbIME that may be switched to for a moment, where a phone has it and text goes by no other way.",
  },
  ocrDir: {
    schema: z.string().min(1).optional(),
    placeholder: "DIR",
    description: "Where the add-on that reads text from pixels is installed (device-agent/ocr beside the program).",
  },
  installFrom: {
    schema: list.pipe(z.array(origin)).default([]),
    placeholder: "ORIGIN,…",
    description:
      "Origins to install apps from although they are not https or not public, like http://192.168.1.5:8080.",
  },
  allow: {
    schema: grants.default([]),
    placeholder: "write,danger",
    description: "What every phone allows without asking; reading is allowed anyway.",
  },
  allowFor: {
    schema: grantsBySerial.default({}),
    placeholder: "SERIAL=write,danger;…",
    description: "What single phones allow without asking.",
  },
  allowInsecureHttp: { schema: onOff, description: "Dial a gateway without TLS on an address other than loopback." },
  logLevel: {
    schema: z.enum(["debug", "info", "warn", "error"]).default("info"),
    placeholder: "debug|info|warn|error",
    description: "How much goes to stderr (info).",
  },
  json: { schema: onOff, description: "Write one JSON object per line to stdout." },
} as const satisfies OptionTable;

export type DeviceAgentConfig = OptionValues<typeof deviceAgentOptions>;

function splitAt(separator: string): (text: string) => string[] {
  return (text) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== "");
}

function readGrantsBySerial(text: string, context: z.RefinementCtx): Record<string, string[]> {
  const entries = splitAt(";")(text).map((entry) => {
    const equals = entry.lastIndexOf("=");
    if (equals < 1) context.addIssue({ code: "custom", message: "must look like SERIAL=write,danger" });
    return [entry.slice(0, equals), splitAt(",")(entry.slice(equals + 1))] as const;
  });
  return Object.fromEntries(entries);
}
