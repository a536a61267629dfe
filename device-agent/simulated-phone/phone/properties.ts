import type { PhoneProfile } from "../options.ts";

export interface Product {
  readonly name: string;
  readonly model: string;
  readonly device: string;
}

export function productOf(profile: PhoneProfile): Product {
  const slug = profile.model.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return { name: slug, model: profile.model.replace(/[^A-Za-z0-9]+/g, "_"), device: slug };
}

/** The letter of a build goes with its release (source.android.com, build numbers). */
function buildId(sdk: number): string {
  if (sdk >= 35) return sdk >= 36 ? "BP2A.250605.031" : "AP3A.241005.015";
  if (sdk >= 33) return sdk >= 34 ? "UP1A.231005.007" : "TP1A.220624.014";
  if (sdk >= 30) return sdk >= 31 ? "SP1A.210812.016" : "RP1A.200720.009";
  if (sdk >= 28) return sdk >= 29 ? "QP1A.190711.020" : "PPR1.180610.009";
  if (sdk >= 24) return sdk >= 26 ? "OPM1.171019.011" : "NMF26F";
  return "MRA58K";
}

/** System properties as `getprop` lists them. */
export function createProperties(profile: PhoneProfile): Map<string, string> {
  const { name, device } = productOf(profile);
  const brand = profile.manufacturer.toLowerCase();
  const build = buildId(profile.sdk);
  const fingerprint = `${brand}/${name}/${device}:${profile.androidRelease}/${build}/1:user/release-keys`;
  return new Map(
    Object.entries({
      "dalvik.vm.heapsize": "512m",
      "dev.bootcomplete": "1",
      "init.svc.adbd": "running",
      "init.svc.bootanim": "stopped",
      "persist.sys.locale": profile.locale,
      "persist.sys.timezone": "Etc/UTC",
      "persist.sys.usb.config": "adb",
      "ro.adb.secure": profile.authorization === "prompt" ? "1" : "0",
      "ro.boot.serialno": profile.serial,
      "ro.bootmode": "unknown",
      "ro.build.characteristics": "default",
      "ro.build.display.id": `${build} release-keys`,
      "ro.build.fingerprint": fingerprint,
      "ro.build.id": build,
      "ro.build.tags": "release-keys",
      "ro.build.type": "user",
      "ro.build.version.incremental": "1",
      "ro.build.version.release": profile.androidRelease,
      "ro.build.version.sdk": String(profile.sdk),
      "ro.build.version.security_patch": "2024-03-05",
      "ro.debuggable": "0",
      "ro.hardware": "sim",
      "ro.product.board": device,
      "ro.product.brand": brand,
      "ro.product.cpu.abi": "arm64-v8a",
      "ro.product.cpu.abilist": "arm64-v8a,armeabi-v7a,armeabi",
      "ro.product.device": device,
      "ro.product.locale": profile.locale,
      "ro.product.manufacturer": profile.manufacturer,
      "ro.product.model": profile.model,
      "ro.product.name": name,
      "ro.secure": "1",
      "ro.serialno": profile.serial,
      "ro.sf.lcd_density": String(profile.density),
      "service.adb.tcp.port": "5555",
      "sys.boot_completed": "1",
      "sys.usb.config": "adb",
      "sys.usb.state": "adb",
      ...profile.properties,
    }),
  );
}
