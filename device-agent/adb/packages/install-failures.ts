import { CodedError } from "../../../shared/errors.ts";
import { commandFailure } from "../errors.ts";

/**
 * What Android's package manager says (INSTALL_… and DELETE_… of AOSP PackageManager.java), in our words with what to
 * do about it. The first that fits counts.
 */
const known: { pattern: RegExp; message: string; hint: string }[] = [
  {
    pattern: /USER_RESTRICTED/,
    message: "The phone's owner or its maker's settings do not allow installs by USB.",
    hint: 'On Xiaomi phones switch on "Install via USB" in the developer options, and accept the prompt on the screen.',
  },
  {
    pattern: /ABORTED|INSTALL_CANCELED/,
    message: "The install was turned down on the phone.",
    hint: "Look at the screen with read_screen: the phone may ask its owner whether to install.",
  },
  {
    pattern: /VERIFICATION_(FAILURE|TIMEOUT)/,
    message: "The phone's app verification (Play Protect) refused the app.",
    hint: "Look at the screen with read_screen, or ask the owner to turn off verification of apps over USB.",
  },
  {
    pattern: /INSUFFICIENT_STORAGE|MEDIA_UNAVAILABLE|No space left/i,
    message: "There is not enough room on the phone.",
    hint: "Remove apps or files, then call again.",
  },
  {
    pattern: /VERSION_DOWNGRADE/,
    message: "A newer version of this app is on the phone.",
    hint: "Install a newer version, or remove the app with uninstall_app first; its data is then lost.",
  },
  {
    pattern: /UPDATE_INCOMPATIBLE|SHARED_USER_INCOMPATIBLE|signatures do not match/i,
    message: "The app on the phone was signed with another key.",
    hint: "Remove it with uninstall_app first; its data is then lost.",
  },
  {
    pattern: /NO_MATCHING_ABIS|CPU_ABI_INCOMPATIBLE/,
    message: "The app is made for another kind of processor.",
    hint: "Take the APK for this phone: run_shell with getprop ro.product.cpu.abilist tells which.",
  },
  {
    pattern: /OLDER_SDK/,
    message: "The app needs a newer Android.",
    hint: "Take a version for this Android; device_info tells which it is.",
  },
  {
    pattern: /NEWER_SDK|DEPRECATED_SDK/,
    message: "The app was made for an Android too old for this phone.",
    hint: "Take a newer version of the app.",
  },
  {
    pattern: /MISSING_SPLIT|BAD_MANIFEST.*split|Missing existing base package/i,
    message: "A part of the app is missing.",
    hint: "Give the base APK and the splits that this phone needs in one call.",
  },
  {
    pattern: /DUPLICATE_PERMISSION|CONFLICTING_PROVIDER/,
    message: "Another app on the phone claims the same permission or provider.",
    hint: "Remove the other app first.",
  },
  {
    pattern: /TEST_ONLY/,
    message: "This is a test build, which the phone does not take.",
    hint: "Take a release build.",
  },
  {
    pattern: /NO_CERTIFICATES|CERTIFICATE/,
    message: "The APK is not signed properly.",
    hint: "Take a signed APK.",
  },
  {
    pattern: /PARSE_FAILED|INVALID_APK|NOT_APK|BAD_MANIFEST/,
    message: "The file is no APK that this phone can read.",
    hint: "Check the file; archives such as .apks and .xapk must be unpacked and their APKs given as a list.",
  },
  {
    pattern: /DEVICE_POLICY_MANAGER|ADMIN/,
    message: "The app is an administrator of the phone.",
    hint: "Ask the owner to deactivate it in the settings first.",
  },
  {
    pattern: /OWNER_BLOCKED|POLICY|RESTRICTED/,
    message: "A policy of the phone forbids it.",
    hint: "Ask the phone's owner or administrator.",
  },
];

/** The error behind what `pm` said, when it did not say "Success". */
export function packageFailure(output: string): CodedError {
  const found = known.find(({ pattern }) => pattern.test(output));
  if (found) return new CodedError("install_refused", found.message, { hint: found.hint, cause: output });
  const other = commandFailure(output);
  return (
    other ?? new CodedError("install_refused", "The phone refused without a reason that is known.", { cause: output })
  );
}
