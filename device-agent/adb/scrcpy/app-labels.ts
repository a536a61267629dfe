import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Connect } from "../phones/connection.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { withDeadline } from "../shell/deadline.ts";
import { readScrcpyServer } from "./scrcpy-server-file.ts";
import { pushServer, SCRCPY_VERSION } from "./scrcpy-session.ts";

export interface AppLabelsParts {
  connect: Connect;
  clock: Clock;
  runner: CommandRunner;
  serverFile: string | undefined;
}

/** A copy of its own: a running server's file must not be written over. */
const PATH = "/data/local/tmp/farhand-scrcpy-list.jar";
const LIST_MS = 20_000;
/** The names of all apps in one answer. */
const MAX_BYTES = 1024 * 1024;

/**
 * The names under which apps stand on the home screen, by package. Android's shell has no command for them; the scrcpy
 * server lists those that can be opened. Empty where it cannot run.
 */
export function readAppLabels(parts: AppLabelsParts, signal: AbortSignal): Promise<Map<string, string>> {
  const { connect, clock, runner, serverFile } = parts;
  return withDeadline({ clock, ms: LIST_MS, signal, task: "name its apps" }, async (own) => {
    const server = await readScrcpyServer(serverFile);
    if (!server.ok) throw new CodedError("unsupported", server.reason);
    await pushServer(await connect(own), server.bytes, PATH, own);
    const command = `CLASSPATH=${PATH} app_process / com.genymobile.scrcpy.Server ${SCRCPY_VERSION} list_apps=true; rm -f ${PATH}`;
    const { output } = await runner.text(command, {
      signal: own,
      timeoutMs: LIST_MS,
      task: "name its apps",
      maxBytes: MAX_BYTES,
    });
    return parseAppLabels(output);
  });
}

/** ` * Name        package` for the system's apps, ` - ` for others; a long name has its package on the next line. */
export function parseAppLabels(text: string): Map<string, string> {
  const found = text.matchAll(/^ [*-] (\S.*?)(?:\s{2,}|\s*\r?\n\s+| )([A-Za-z]\w*(?:\.\w+)+)\s*$/gm);
  return new Map([...found].map(([, label = "", packageName = ""]) => [packageName, label]));
}
