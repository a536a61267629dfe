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
}

export function createGate({ phones, policy }: { phones: Phones; policy: Policy }): Gate {
  const permitDevice = (key: string, permission: Permission): DeviceReport => {
    const report = phones.list().find((candidate) => candidate.key === key);
    permitByPolicy(policy, report ?? { key, serial: "", name: "" }, permission);
    if (!report) throw new CodedError("device_not_found", "This device agent has no such phone.");
    if (!policy.allowsPhone(report)) {
      throw new CodedError("device_not_allowed", "The phone's owner keeps this phone out of reach.");
    }
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
  };
}

function permitByPolicy(policy: Policy, phone: PhoneNames, permission: Permission): void {
  const verdict = policy.verdict(phone, permission);
  if (verdict === "allow") return;
  const message =
    verdict === "deny"
      ? `The phone's owner does not allow ${permission} on this phone.`
      : `The phone's owner wants to be asked before ${permission} on this phone, and cannot be asked yet.`;
  throw new CodedError("write_disabled", message, { hint: policy.howToAllow(permission) });
}
