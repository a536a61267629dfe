import { CodedError } from "../../shared/errors.ts";
import type { Call, DeviceReport } from "../../shared/link/messages.ts";
import type { Permission } from "../../shared/permissions.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import type { Phones } from "../phones.ts";
import type { PhoneNames, Policy } from "../policy/policy.ts";

/**
 * What must hold before a call may wait for a phone, in this order: the caller's permission, the owner's policy, the
 * owner's list of phones. The lease is asked after them, and again when the phone's turn came: perform-call.ts.
 */
export interface Gate {
  /** Throws `permission_denied`, `write_disabled`, `device_not_found`, `device_not_allowed`. */
  permitCall(call: Pick<Call, "scopes" | "device">, tool: ToolSpec): DeviceReport;
  /** The same without a caller, for a stream. */
  permitDevice(device: string, permission: Permission): DeviceReport;
  /** The owner's word alone, for what needs no phone: it may be away. */
  permitWithoutPhone(device: string, permission: Permission): void;
}

export function createGate({ phones, policy }: { phones: Phones; policy: Policy }): Gate {
  const find = (key: string) => phones.list().find((candidate) => candidate.key === key);
  const permitByOwner = (phone: PhoneNames, permission: Permission) => {
    permitByPolicy(policy, phone, permission);
    if (policy.allowsPhone(phone)) return;
    throw new CodedError("device_not_allowed", "The phone's owner keeps this phone out of reach.");
  };
  const permitDevice = (key: string, permission: Permission): DeviceReport => {
    const report = find(key);
    if (report) permitByOwner(report, permission);
    else permitByPolicy(policy, stranger(key), permission);
    if (!report) throw new CodedError("device_not_found", "This device agent has no such phone.");
    return report;
  };
  return {
    permitCall(call, tool) {
      if (!call.scopes.includes(tool.permission)) {
        throw new CodedError("permission_denied", `This call needs the permission ${tool.permission}.`, {
          hint: `Ask the operator for a token with ${tool.permission}.`,
        });
      }
      return permitDevice(call.device, tool.permission);
    },
    permitDevice,
    permitWithoutPhone: (key, permission) => permitByOwner(find(key) ?? stranger(key), permission),
  };
}

/** A phone that is away is known by its key alone. */
const stranger = (key: string): PhoneNames => ({ key, serial: "", name: "" });

function permitByPolicy(policy: Policy, phone: PhoneNames, permission: Permission): void {
  const verdict = policy.verdict(phone, permission);
  if (verdict === "allow") return;
  const message =
    verdict === "deny"
      ? `The phone's owner does not allow ${permission} on this phone.`
      : `The phone's owner wants to be asked before ${permission} on this phone, and cannot be asked yet.`;
  throw new CodedError("write_disabled", message, { hint: policy.howToAllow(permission) });
}
