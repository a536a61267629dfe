import type { Program } from "./program.ts";

/** The package manager's own program, before it became a part of `cmd` in Android 8 (Pm.PM_NOT_RUNNING_ERR). */
const NO_PACKAGE_MANAGER = "Error: Could not access the Package Manager.  Is the system running?\n";
const OLD_CMD_SDK = 26;
const STATUS_NO_SERVICE = 20;

const noService =
  (service: (args: readonly string[]) => string): Program =>
  async ({ args, printError }) => {
    await printError(`cmd: Can't find service: ${service(args)}\n`);
    return STATUS_NO_SERVICE;
  };

/** A program that became a script around `cmd`; before that it had words of its own. */
const scriptOf =
  (service: string, old: string, status = 1): Program =>
  async (context) => {
    if (context.phone.profile.sdk >= OLD_CMD_SDK) return noService(() => service)(context);
    await context.printError(old);
    return status;
  };

const notRunning = (who: string) =>
  `Error type 2\nandroid.util.AndroidException: Can't connect to ${who}; is the system running?\n`;

const failing =
  (text: string): Program =>
  async ({ printError }) => {
    await printError(text);
    return 1;
  };

const NO_ACCESSIBILITY = `java.lang.NullPointerException: Attempt to invoke interface method 'void android.view.accessibility.IAccessibilityManager.registerUiTestAutomationService' on a null object reference
\tat android.app.UiAutomationConnection.registerUiTestAutomationServiceLocked(UiAutomationConnection.java:525)
\tat com.android.uiautomator.core.UiAutomationShellWrapper.connect(UiAutomationShellWrapper.java:40)
`;

/** What programs answer while their services are not there yet; all others work as ever. */
export const programsWhileStarting: Readonly<Record<string, Program>> = {
  cmd: noService((args) => args.find((argument) => argument !== "-w") ?? ""),
  pm: scriptOf("package", NO_PACKAGE_MANAGER),
  am: scriptOf("activity", notRunning("activity manager")),
  wm: scriptOf("window", notRunning("window manager")),
  settings: scriptOf("settings", "Error while accessing settings provider\njava.lang.NullPointerException\n"),
  input: scriptOf("input", "java.lang.NullPointerException\n"),
  ime: scriptOf("input_method", "Error: Could not access the Input Method Manager.  Is the system running?\n"),
  svc: failing("Killed \n"),
  content: failing("Error while accessing provider:null\njava.lang.NullPointerException\n"),
  monkey: failing("** Error: Unable to connect to activity manager; is the system running?\n"),
  screencap: failing("Failed to get ID for any displays.\n"),
  uiautomator: failing(NO_ACCESSIBILITY),
  app_process: failing("Aborted \n"),
  app_process64: failing("Aborted \n"),
  async dumpsys({ args, printError }) {
    await printError(`Can't find service: ${args.find((argument) => !argument.startsWith("-")) ?? ""}\n`);
    return 0;
  },
};
