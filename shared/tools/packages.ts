import { z } from "zod";
import type { AppSource } from "../device-control.ts";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import { type DeviceCall, defineDeviceTool, type KeptFiles } from "./define-tool.ts";
import { fileId, filePath, ok, packageName, sha256 } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

/** An address, an upload, or what filePath takes. */
const apk = z
  .string()
  .max(2_048)
  .refine(
    (text) => /^https?:\/\//i.test(text) || isFileId(text) || filePath.safeParse(text).success,
    "must be an https address, a file_id or a path",
  );

const isFileId = (text: string) => fileId.safeParse(text).success;

/** The phone takes as many files in one round as fit into it. */
const roundMs = 48_000;

export const installApp = defineDeviceTool({
  name: "install_app",
  title: "Install app",
  description:
    "Installs or updates an app from its APK, and splits if any: https addresses, each with its SHA-256, file_id of uploads, or paths on the phone.",
  permission: "device:danger",
  effect: "write",
  timeoutMs: roundMs,
  taskTimeoutMs: 10 * 60_000,
  input: z.strictObject({
    apks: z
      .array(apk)
      .min(1)
      .max(limits.appParts)
      .meta(
        forPeople("Addresses for the device agent to fetch, ids of uploads, or files on the phone; the base first."),
      ),
    sha256: z
      .array(sha256)
      .max(limits.appParts)
      .default([])
      .meta(forPeople("Of the files behind the addresses, in the same order.")),
  }),
  output: z.object({ ok, package: z.string().nullable() }),
  async handle(call, { apks, sha256 }) {
    const sources = await sourcesOf(apks, sha256, call.kept);
    return { output: { ok: true, package: await install(call, sources) } };
  },
});

/** In rounds, where there is time for more than one. */
async function install(call: DeviceCall, sources: AppSource[]): Promise<string | null> {
  const { device, signal, steps, progress } = call;
  const report = (percent: number, message: string) => progress(percent, 100, message);
  for (;;) {
    try {
      return await device.packages.install(sources, report, signal);
    } catch (thrown) {
      const goesOn = thrown instanceof CodedError && thrown.code === "deadline_exceeded" && thrown.retryAfterMs === 0;
      if (!goesOn || steps.leftMs() < roundMs) throw thrown;
    }
  }
}

async function sourcesOf(apks: string[], digests: string[], kept: KeptFiles): Promise<AppSource[]> {
  const addresses = apks.filter((apk) => !apk.startsWith("/") && !isFileId(apk));
  if (addresses.length !== digests.length) {
    throw new CodedError(
      "invalid_argument",
      `There are ${addresses.length} addresses and ${digests.length} SHA-256 digests; each address needs its own.`,
      {
        hint: "Take the digest from the place that publishes the app; it is what proves that the file is the right one.",
      },
    );
  }
  const left = [...digests];
  const sources = apks.map(async (apk): Promise<AppSource> => {
    if (apk.startsWith("/")) return { path: apk };
    return isFileId(apk) ? { kept: await kept.find(apk) } : { url: apk, sha256: left.shift() ?? "" };
  });
  return Promise.all(sources);
}

export const uninstallApp = defineDeviceTool({
  name: "uninstall_app",
  title: "Uninstall app",
  description: "Removes an app and its data.",
  permission: "device:danger",
  effect: "destroy",
  timeoutMs: 40_000,
  input: z.strictObject({
    package: packageName,
    keep_data: z.boolean().default(false).meta(forPeople("Keep the app's data for a later install.")),
  }),
  output: z.object({ ok }),
  async handle({ device, signal }, input) {
    await device.packages.uninstall(input.package, input.keep_data, signal);
    return { output: { ok: true } };
  },
});

export const clearAppData = defineDeviceTool({
  name: "clear_app_data",
  title: "Clear app data",
  description: "Stops an app and deletes all of its data, accounts and settings included.",
  permission: "device:danger",
  effect: "destroy",
  timeoutMs: 40_000,
  input: z.strictObject({ package: packageName }),
  output: z.object({ ok }),
  async handle({ device, signal }, input) {
    await device.packages.clearData(input.package, signal);
    return { output: { ok: true } };
  },
});

export const reboot = defineDeviceTool({
  name: "reboot",
  title: "Restart phone",
  description: "Restarts the phone and does not wait; list_devices tells when it is back.",
  permission: "device:danger",
  effect: "destroy",
  timeoutMs: 20_000,
  input: z.strictObject({}),
  output: z.object({ ok }),
  async handle({ device, signal }) {
    await device.reboot(signal);
    return { output: { ok: true } };
  },
});
