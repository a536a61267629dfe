import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { limits } from "../../shared/limits.ts";
import { type OptionSources, type OptionTable, type OptionValues, readOptions } from "../../shared/options.ts";
import { staticTokenPattern } from "../auth/static-token.ts";
import { isLoopback } from "./addresses.ts";
import { StartError } from "./start-error.ts";

const names = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((value) =>
    (typeof value === "string" ? value.split(",") : value).map((name) => name.trim()).filter((name) => name !== ""),
  );
const onOff = z.union([z.boolean(), z.stringbool()]);
const webOrigin = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;

/** Every setting of the Node gateway. */
export const gatewayOptions = {
  host: {
    schema: z.string().default("127.0.0.1"),
    description: "Address to listen on; 0.0.0.0 for all.",
    placeholder: "host",
  },
  port: {
    schema: z.coerce.number("must be a port number").int().min(0).max(65_535).default(8765),
    description: "TCP port to listen on; 0 takes any free one.",
    placeholder: "port",
  },
  dataDir: {
    schema: z
      .string()
      .default(() => join(homedir(), ".farhand", "gateway"))
      .transform((path) => resolve(path)),
    description: "Directory of the database, the token and the audit file.",
    placeholder: "directory",
  },
  publicUrl: {
    schema: z
      .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    description: "URL under which clients and device agents reach this gateway, for example behind a proxy.",
    placeholder: "url",
  },
  allowedHosts: {
    schema: names,
    description: "Further host names that requests may name, separated by commas.",
    placeholder: "names",
  },
  allowedOrigins: {
    schema: names.refine((origins) => origins.every(webOrigin), "must be origins such as https://app.example"),
    description: "Origins of web pages that may call this gateway from a browser, separated by commas.",
    placeholder: "origins",
  },
  token: {
    schema: z
      .string()
      .regex(staticTokenPattern, "must be 32 to 256 printable ASCII characters without spaces")
      .optional(),
    description: "Bearer token of clients and device agents; made and kept in the data directory when left out.",
    placeholder: "token",
    secret: true,
  },
  allowInsecureHttp: {
    schema: onOff.default(false),
    description: "Serve plain HTTP on an address that other machines reach.",
  },
  database: {
    schema: z
      .string()
      .regex(/^file:/, "must be a file: URL")
      .optional(),
    description: "Database URL; a file in the data directory when left out.",
    placeholder: "url",
  },
  webhookOrigins: {
    schema: names.refine((origins) => origins.every(webOrigin), "must be origins such as http://127.0.0.1:9000"),
    description:
      "Origins whose webhooks may be called although they are not https or not on the public internet, separated by commas.",
    placeholder: "origins",
  },
  sendWait: {
    schema: z.coerce
      .number("must be a number of seconds")
      .int()
      .min(1)
      .max(3_600)
      .default(limits.sendWaitMs / 1_000),
    description:
      "Seconds that SendMessage of A2A waits for the end of a Task before it answers with the Task as it is.",
    placeholder: "seconds",
  },
  json: {
    schema: onOff.default(false),
    description: "Print one JSON object per line on stdout.",
  },
  logLevel: {
    schema: z.enum(["debug", "info", "warn", "error"]).default("info"),
    description: "How much is logged to stderr: debug, info, warn or error.",
    placeholder: "level",
  },
} satisfies OptionTable;

export type GatewayConfig = OptionValues<typeof gatewayOptions>;

/** Throws OptionError or StartError. */
export function readGatewayConfig(sources: OptionSources): GatewayConfig {
  const config = readOptions(gatewayOptions, sources);
  const safe = isLoopback(config.host) || config.allowInsecureHttp || config.publicUrl?.startsWith("https://");
  if (safe) return config;
  throw new StartError(
    `Plain HTTP on ${config.host} would show the token to the network: ` +
      "put a TLS proxy in front and give --public-url https://…, or give --allow-insecure-http.",
  );
}
