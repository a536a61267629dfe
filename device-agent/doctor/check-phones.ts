import { CodedError } from "../../shared/errors.ts";
import type { DeviceReport } from "../../shared/link/messages.ts";
import type { Phones } from "../phones.ts";
import type { Policy } from "../policy/policy.ts";
import type { Finding, PhoneFinding } from "./finding.ts";

/** One phone's look may take so long. */
const examineMs = 30_000;

const noPhone: Finding = {
  level: "fail",
  subject: "phones",
  check: "phones",
  message: "There is no phone.",
  fix: "Connect one, switch on Developer options (seven taps on the build number in Settings, About phone) and USB debugging there, and accept the prompt on the phone.",
};

/** State, faults and permissions of every phone. What lies at this machine is told once. */
export async function checkPhones(phones: Phones, policy: Policy): Promise<Finding[]> {
  const list = phones.list();
  if (list.length === 0) return [noPhone];
  const each = await Promise.all(list.map((report) => checkPhone(phones, policy, report)));
  const seen = new Set<string>();
  return each.flat().flatMap((finding) => {
    if (finding.check !== "device_agent") return [finding];
    const isNew = !seen.has(finding.message);
    seen.add(finding.message);
    return isNew ? [{ ...finding, subject: "device agent" }] : [];
  });
}

async function checkPhone(phones: Phones, policy: Policy, report: DeviceReport): Promise<Finding[]> {
  const subject = report.name === report.serial ? report.name : `${report.name} (${report.serial})`;
  const found = report.state === "device" ? await examine(phones, report.key) : [notReady(report)];
  return [...found, ...permissionFindings(policy, report)].map((finding) => ({ subject, ...finding }));
}

async function examine(phones: Phones, key: string): Promise<PhoneFinding[]> {
  try {
    return await phones.examine(key, AbortSignal.timeout(examineMs));
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown;
    return [{ level: "fail", check: "phone", message: thrown.message, fix: thrown.hint }];
  }
}

function notReady({ state, hint }: DeviceReport): PhoneFinding {
  const message = `Its state is ${state}, so it cannot be used now.`;
  return { level: "fail", check: "phone", message, fix: hint ?? "Connect it again." };
}

function permissionFindings(policy: Policy, report: DeviceReport): PhoneFinding[] {
  const check = "policy";
  if (!policy.allowsPhone(report)) {
    const fix = "Add its serial to allowedSerials in policy.json if others may use it.";
    return [{ level: "warn", check, message: "The owner's list of phones leaves it out.", fix }];
  }
  const words = { allow: "allowed", ask: "asked for each time", deny: "denied" };
  const [read, write, danger] = (["screen:read", "screen:write", "device:danger"] as const).map((permission) =>
    policy.verdict(report, permission),
  );
  const told = (verdict: typeof read) => words[verdict ?? "deny"];
  const message = `Looking is ${told(read)}, touching and typing ${told(write)}, dangerous calls ${told(danger)}.`;
  if (read !== "allow") {
    return [{ level: "warn", check, message, fix: 'Set "screen:read" to "allow" in policy.json if others may look.' }];
  }
  return [{ level: "ok", check, message, fix: write === "allow" ? undefined : toAllowWriting(report) }];
}

function toAllowWriting({ key }: DeviceReport): string {
  return `If others may touch it: start the device agent with --allow-for ${key}=write, or set "screen:write" to "allow" for it in policy.json.`;
}
