import { type Clock, pause } from "../../shared/clock.ts";
import type { Device } from "../../shared/device.ts";
import type { Downloads } from "../outgoing/downloads.ts";
import type { Apps } from "./apps/apps.ts";
import { createPhoneFiles } from "./files/phone-files.ts";
import { createPackages } from "./packages/packages.ts";
import type { Connect } from "./phones/connection.ts";
import { createProcesses } from "./processes/processes.ts";
import type { CommandRunner } from "./shell/command-runner.ts";
import { withDeadline } from "./shell/deadline.ts";
import { readSocket } from "./shell/read-socket.ts";

const CLOSE_MS = 2_000;

export interface ControlParts {
  runner: CommandRunner;
  connect: Connect;
  clock: Clock;
  random: () => number;
  apps: Apps;
  downloads: Downloads | undefined;
}

/** What the tools with the permission `device:danger` do. */
export function createControl(parts: ControlParts): Pick<Device, "shell" | "files" | "packages" | "reboot"> {
  const { connect, clock } = parts;
  const files = createPhoneFiles(parts);
  return {
    shell: createProcesses(parts),
    files,
    packages: createPackages({ ...parts, files }),
    reboot: (signal) =>
      withDeadline({ clock, ms: 10_000, signal, task: "restart" }, async (own) => {
        const socket = await (await connect(own)).open("reboot:", own);
        // The phone may be gone before it has closed the socket, or never close it.
        const closed = readSocket(socket, own, () => false).catch(() => {});
        await Promise.race([closed, pause(clock, CLOSE_MS, own).catch(() => {})]);
      }),
  };
}
