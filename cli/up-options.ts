import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { OptionTable } from "../shared/options.ts";

const onOff = z.union([z.boolean(), z.stringbool()]).default(false);

export const upOptions = {
  host: {
    schema: z.string().min(1).default("127.0.0.1"),
    placeholder: "ADDRESS",
    description: "Address that the gateway listens on (127.0.0.1).",
  },
  port: {
    schema: z.coerce.number("must be a number").int().min(0).max(65_535).default(8765),
    placeholder: "N",
    description: "Port of the gateway (8765); 0 takes a free one.",
  },
  dataDir: {
    schema: z.string().min(1).default(join(homedir(), ".farhand")),
    placeholder: "DIR",
    description: "Where token, identity, journal and audit are kept (~/.farhand).",
  },
  phones: {
    schema: z
      .string()
      .regex(
        /^(auto|adb|simulated(:([1-9]|1[0-6]))?)$/,
        "must be auto, adb, simulated or simulated:N with N from 1 to 16",
      )
      .default("auto"),
    placeholder: "auto|adb|simulated[:N]",
    description: "Which phones: those of the local adb server if it has any, else one simulated phone (auto).",
  },
  allow: {
    schema: z.string().optional(),
    placeholder: "write,danger",
    description: "What every phone allows without asking; a simulated phone that this command starts allows it anyway.",
  },
  installFrom: {
    schema: z.string().optional(),
    placeholder: "ORIGIN,…",
    description: "Origins that install_app may fetch from although they are not public https addresses.",
  },
  latency: {
    schema: z.enum(["small", "real"]).default("small"),
    placeholder: "small|real",
    description: "How long a simulated phone takes for its work: as little as it can, or as a real one.",
  },
  adbHost: {
    schema: z.string().min(1).default("127.0.0.1"),
    placeholder: "ADDRESS",
    description: "Where the adb server is (127.0.0.1).",
  },
  adbPort: {
    schema: z.coerce.number("must be a number").int().min(1).max(65_535).default(5037),
    placeholder: "N",
    description: "Port of the adb server (5037).",
  },
  token: {
    schema: z.string().optional(),
    placeholder: "TOKEN",
    secret: true,
    description: "Token for clients, 32 to 256 characters; made and printed when none is given.",
  },
  publicUrl: {
    schema: z.string().optional(),
    placeholder: "URL",
    description: "Address under which clients reach the gateway, when a proxy stands in front.",
  },
  allowInsecureHttp: {
    schema: onOff,
    description: "Serve plain HTTP on an address other than loopback.",
  },
  logLevel: {
    schema: z.enum(["debug", "info", "warn", "error"]).default("warn"),
    placeholder: "debug|info|warn|error",
    description: "How much goes to stderr (warn).",
  },
  json: { schema: onOff, description: "Write one JSON object per line to stdout." },
} as const satisfies OptionTable;
