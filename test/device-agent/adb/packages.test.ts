import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { packageFailure } from "../../../device-agent/adb/packages/install-failures.ts";
import type { Downloads } from "../../../device-agent/outgoing/downloads.ts";
import type { SimulatedPhoneOptions } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import { CodedError } from "../../../shared/errors.ts";
import { fakeApk } from "./fake-apk.ts";
import { Rig } from "./rig.ts";
import { codeOf, hurried, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const base = fakeApk("com.example.fresh");
const sha256 = createHash("sha256").update(base).digest("hex");
const quiet = () => {};

/** A phone whose device agent has fetched `base` already, or does as `fetch` tells. */
async function phoneWith(fetch?: Downloads["fetch"], options: SimulatedPhoneOptions = {}, times = 1) {
  const file = join(await rig.folder(), "base.apk");
  await writeFile(file, base);
  const { sim, address } = await rig.phone(options);
  const phones = await rig.phones({
    direct: [address],
    keyFile: join(await rig.folder(), "key.pem"),
    downloads: { fetch: fetch ?? (async () => ({ file, size: base.length })) },
    ...(times > 1 && { clock: hurried(times) }),
  });
  const device = phones.open(sim.serial);
  const names = async () => (await device.listApps("user", never)).map(({ packageName }) => packageName);
  return { sim, device, names };
}

describe("an app is installed", () => {
  test("from files on the phone, base and split together", async () => {
    const { sim, device, names } = await phoneWith();
    sim.files.write("/sdcard/Download/it's base.apk", base);
    sim.files.write("/sdcard/Download/split.apk", fakeApk("com.example.fresh", 200_000));
    const sources = [{ path: "/sdcard/Download/it's base.apk" }, { path: "/sdcard/Download/split.apk" }];
    expect(await device.packages.install(sources, quiet, never)).toBe("com.example.fresh");
    expect(await names()).toContain("com.example.fresh");
    expect(await device.packages.install(sources, quiet, never)).toBe("com.example.fresh");
  });

  test("from an address, with progress, and its file is not left on the phone", async () => {
    const { sim, device, names } = await phoneWith();
    const told: number[] = [];
    const source = { url: "https://example.com/a.apk", sha256 };
    const installed = await device.packages.install([source], (percent) => told.push(percent), never);
    expect(installed).toBe("com.example.fresh");
    expect(await names()).toContain("com.example.fresh");
    expect(told.at(-1)).toBe(90);
    expect(sim.files.exists(`/data/local/tmp/farhand-app-${sha256.slice(0, 32)}.apk`)).toBe(false);
  });

  test("with a copy that an earlier call had begun: it goes on from there", async () => {
    const { sim, device } = await phoneWith();
    const part = `/data/local/tmp/farhand-app-${sha256.slice(0, 32)}.apk.part`;
    sim.files.write(part, base.subarray(0, 100));
    expect(await device.packages.install([{ url: "https://example.com/a.apk", sha256 }], quiet, never)).toBe(
      "com.example.fresh",
    );
    const added = sim.ranPrograms().filter(([name, path]) => name === "cat" && path?.endsWith(".add"));
    expect(added.length).toBe(1);
  });

  test("from an upload, going on with a copy that an earlier call had begun", async () => {
    const { sim, device, names } = await phoneWith(async () => {
      throw new Error("Nothing is to be fetched.");
    });
    const reads: number[] = [];
    const kept = {
      bytes: base.length,
      sha256,
      async read(offset: number, length: number) {
        reads.push(offset);
        return base.subarray(offset, offset + length);
      },
    };
    sim.files.write(`/data/local/tmp/farhand-app-${sha256.slice(0, 32)}.apk.part`, base.subarray(0, 100));
    expect(await device.packages.install([{ kept }], quiet, never)).toBe("com.example.fresh");
    expect(await names()).toContain("com.example.fresh");
    expect(reads).toEqual([100]);
  });

  test("on Android 6 too", async () => {
    const { device, names } = await phoneWith(undefined, { quirks: { oldAndroid: true } });
    await device.packages.install([{ url: "https://example.com/a.apk", sha256 }], quiet, never);
    expect(await names()).toContain("com.example.fresh");
  });
});

describe("an install fails", () => {
  test("with what the phone says, in our words", async () => {
    const installDenied = "INSTALL_FAILED_USER_RESTRICTED: Install canceled by user";
    const { sim, device } = await phoneWith(undefined, { quirks: { installDenied } });
    sim.files.write("/sdcard/a.apk", base);
    const error = await device.packages.install([{ path: "/sdcard/a.apk" }], quiet, never).catch((thrown) => thrown);
    expect(error.code).toBe("install_refused");
    expect(error.hint).toContain("Install via USB");
    expect(error.message).not.toContain("canceled");
  });

  test("for files that are no APK, do not fit or are not there", async () => {
    const { sim, device } = await phoneWith();
    sim.files.write("/sdcard/a.txt", Buffer.from("hello"));
    sim.files.write("/sdcard/a.apk", base);
    sim.files.write("/sdcard/b.apk", fakeApk("com.example.other"));
    const install = (...paths: string[]) =>
      codeOf(
        device.packages.install(
          paths.map((path) => ({ path })),
          quiet,
          never,
        ),
      );
    expect(await install("/sdcard/a.txt")).toBe("install_refused");
    expect(await install("/sdcard/a.apk", "/sdcard/b.apk")).toBe("install_refused");
    expect(await install("/sdcard/nothing.apk")).toBe("target_not_found");
  });

  test("when the files take too long, and says that the next call goes on", async () => {
    const fetch: Downloads["fetch"] = (_url, _sha256, _report, signal) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { device, names } = await phoneWith(fetch, {}, 8);
    const error = await device.packages
      .install([{ url: "https://example.com/a.apk", sha256 }], quiet, never)
      .catch((thrown) => thrown);
    expect(error.code).toBe("deadline_exceeded");
    expect(error.hint).toContain("same arguments");
    expect(await names()).not.toContain("com.example.fresh");
  });

  test("as the download does", async () => {
    const { device } = await phoneWith(() => Promise.reject(new CodedError("download_failed", "Gone.")));
    const source = { url: "https://example.com/a.apk", sha256 };
    expect(await codeOf(device.packages.install([source], quiet, never))).toBe("download_failed");
  });
});

test("an app is removed, a system app and a missing one are not", async () => {
  const { device, names } = await phoneWith();
  await device.packages.uninstall("app.farhand.notes", false, never);
  expect(await names()).not.toContain("app.farhand.notes");
  expect(await codeOf(device.packages.uninstall("app.farhand.notes", false, never))).toBe("target_not_found");
  const refused = await device.packages.uninstall("com.android.settings", false, never).catch((thrown) => thrown);
  expect(refused.code).toBe("install_refused");
  expect(refused.message).toContain("part of the system");
  expect(await codeOf(device.packages.uninstall("a; reboot", false, never))).toBe("invalid_argument");
});

test("an app's data is cleared, which ends the app", async () => {
  const { sim, device } = await phoneWith();
  sim.open("app.farhand.notes");
  await device.packages.clearData("app.farhand.notes", never);
  expect(sim.processes().some(({ name }) => name === "app.farhand.notes")).toBe(false);
  expect(await codeOf(device.packages.clearData("com.example.none", never))).toBe("target_not_found");
});

test("the phone restarts when it is told to", async () => {
  const { sim, device } = await phoneWith();
  const bootId = () => String(sim.files.read("/proc/sys/kernel/random/boot_id"));
  const before = bootId();
  await device.reboot(never);
  await expect.poll(bootId).not.toBe(before);
});

test.each([
  ["Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]", "do not allow installs by USB"],
  ["Failure [INSTALL_FAILED_ABORTED: User rejected permissions]", "turned down on the phone"],
  ["Failure [INSTALL_FAILED_VERIFICATION_FAILURE: Package Verification Result]", "Play Protect"],
  ["Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location]", "enough room"],
  ["Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code 1 is older]", "newer version"],
  [
    "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package com.a.b signatures do not match previously installed version; ignoring!]",
    "signed with another key",
  ],
  ["Failure [INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113]", "kind of processor"],
  ["Failure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #35 (current version is #34)]", "newer Android"],
  ["Failure [INSTALL_FAILED_DEPRECATED_SDK_VERSION: App package must target at least SDK version 23]", "too old"],
  ["Failure [INSTALL_FAILED_MISSING_SPLIT: Missing split for com.a.b]", "part of the app is missing"],
  ["Failure [INSTALL_FAILED_TEST_ONLY: installPackageLI]", "test build"],
  ["Failure [INSTALL_PARSE_FAILED_NO_CERTIFICATES: No signature found]", "not signed properly"],
  ["Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/base.apk]", "no APK"],
  ["Failure [DELETE_FAILED_DEVICE_POLICY_MANAGER]", "administrator"],
  ["Failure [SOMETHING_NEW]", "without a reason that is known"],
])("%s", (output, told) => {
  const { code, message } = packageFailure(output);
  expect(code).toBe("install_refused");
  expect(message).toContain(told);
});
