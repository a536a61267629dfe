import { z } from "zod";
import { permissions } from "../../shared/permissions.ts";

const verdict = z.enum(["deny", "ask", "allow"]);
export type Verdict = z.infer<typeof verdict>;

const verdicts = z.partialRecord(z.enum(permissions), verdict);
const packageNames = z.array(z.string().regex(/^[A-Za-z][\w]*(\.[A-Za-z][\w]*)+$/, "must be a package name"));

/** `policy.json` in the data directory. Every part may be left out; anything unknown is a fault. */
export const policySchema = z.strictObject({
  default: verdicts.default({}),
  /** By serial or name. */
  devices: z.record(z.string().min(1), verdicts).default({}),
  /** When given, every other phone is out of reach. */
  allowedSerials: z.array(z.string().min(1)).optional(),
  /** When given, every other app is out of reach of writes. */
  allowedApps: packageNames.optional(),
  deniedApps: packageNames.default([]),
});
export type PolicyRules = z.infer<typeof policySchema>;
