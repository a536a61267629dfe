import { readFile, stat } from "node:fs/promises";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import { StartError } from "../start-error.ts";
import { findJsonFault } from "./json-fault.ts";
import { type PolicyRules, policySchema } from "./policy-schema.ts";

/** File events differ between systems and editors; looking is the same everywhere. */
const lookMs = 1_000;

/**
 * The owner's `policy.json`. A change holds within a second; a broken or vanished file leaves the last good rules in
 * force.
 */
export interface PolicyFile {
  rules(): PolicyRules;
  stop(): void;
}

/** A missing file means the built-in rules. Throws StartError when the file is broken already. */
export async function openPolicyFile(options: { file: string; clock: Clock; log: Logger }): Promise<PolicyFile> {
  const { file, clock, log } = options;
  let version = await versionOf(file);
  let rules = await readRules(file).catch((fault: unknown) => {
    throw new StartError(fault instanceof Error ? fault.message : `cannot read ${file}`, fault);
  });
  let callOff = () => {};

  const look = async () => {
    const newer = await versionOf(file);
    if (newer === version) return;
    version = newer;
    if (newer === "") return log.warn("The owner's policy file is gone; its last rules stay in force", { file });
    try {
      rules = await readRules(file);
      log.info("The owner's policy was read anew", { file });
    } catch (fault) {
      const problem = fault instanceof Error ? fault.message : String(fault);
      log.error("The owner's policy is broken; the last good one stays in force", { problem });
    }
  };
  let stopped = false;
  const again = () => {
    if (!stopped) callOff = clock.after(lookMs, () => void look().finally(again));
  };
  again();

  return {
    rules: () => rules,
    stop() {
      stopped = true;
      callOff();
    },
  };
}

/** Changes with every write or replacement of the file. */
async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    return [mtimeMs, ctimeMs, size, ino].join("/");
  } catch {
    return "";
  }
}

/** Throws an Error whose message names the file and the place of each fault. */
async function readRules(file: string): Promise<PolicyRules> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return policySchema.parse({});
    throw new Error(`${file} cannot be read`, { cause });
  }
  const fault = findJsonFault(text);
  if (fault) throw new Error(`${file} is not JSON at line ${fault.line}, column ${fault.column}`);
  const parsed = policySchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join(" > ") || "the whole"}: ${issue.message}`,
  );
  throw new Error(`${file} is wrong: ${places.join("; ")}`);
}
