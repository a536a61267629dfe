import type { ForegroundApp } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import type { AppLimits } from "./policy.ts";

/** Writes that do not act on the app in front. */
const besideApps = new Set(["wake", "sleep", "set_clipboard", "set_orientation", "reboot"]);

/** Throws `device_not_allowed` when the call names an app that the owner keeps out of reach. */
export function permitNamedApp(limits: AppLimits, input: Record<string, unknown>): void {
  if (typeof input.package === "string") permitApp(limits, input.package);
  if (typeof input.url === "string" && isLimited(limits)) {
    throw new CodedError(
      "device_not_allowed",
      "An address may open an app that the phone's owner keeps out of reach.",
      {
        hint: "Open an allowed app with open_app and enter the address there.",
      },
    );
  }
}

function isLimited(limits: AppLimits): boolean {
  return limits.allowed !== undefined || limits.denied.length > 0;
}

/** Whether the app in front must be known before the call may run. */
export function dependsOnForeground(limits: AppLimits, tool: ToolSpec, input: Record<string, unknown>): boolean {
  if (tool.permission !== "screen:write" || !isLimited(limits)) return false;
  const leavesApp = tool.name === "press_key" && input.key === "home";
  return typeof input.package !== "string" && !besideApps.has(tool.name) && !leavesApp;
}

/**
 * Throws `device_not_allowed` when what lies in front is not for this caller to touch, on any display: keys go where
 * the focus is, and that may move.
 */
export function permitForeground(limits: AppLimits, { packageName, overlay, elsewhere = [] }: ForegroundApp): void {
  if (packageName !== null) permitApp(limits, packageName);
  for (const other of elsewhere) permitApp(limits, other);
  if (limits.allowed === undefined) return;
  if (packageName === null || overlay === "notification_shade" || overlay === "keyguard") {
    throw new CodedError("device_not_allowed", "No app that the phone's owner allows is in front.", {
      hint: "Open an allowed app with open_app first.",
    });
  }
}

function permitApp(limits: AppLimits, packageName: string): void {
  const allowed = limits.allowed === undefined || limits.allowed.includes(packageName);
  if (allowed && !limits.denied.includes(packageName)) return;
  throw new CodedError("device_not_allowed", "The phone's owner keeps this app out of reach.", {
    hint: "Use an app that the owner allows; open_app brings it to the front.",
  });
}
