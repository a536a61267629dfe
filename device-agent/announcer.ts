import type { DeviceReport } from "../shared/link/messages.ts";
import type { Logger } from "../shared/log.ts";
import type { DeviceAgentEvents } from "./device-agent.ts";

/** Tells the person, or the program, at this process's stdout what happens. */
export interface Announcer extends DeviceAgentEvents {
  started(version: string, dataDir: string): void;
}

const noPhone =
  "No phone yet. Connect one with USB debugging switched on and accept its prompt, or give --direct HOST:PORT. Waiting.";

export function createAnnouncer(options: {
  json: boolean;
  gateway: string;
  stdout: (line: string) => void;
  log: Logger;
}): Announcer {
  const { gateway, stdout, log } = options;
  if (!options.json) return textAnnouncer(gateway, stdout);
  const event = (name: string, fields: object) => stdout(JSON.stringify({ event: name, ...fields }));
  return {
    started: (version, dataDir) => event("started", { version, data_dir: dataDir }),
    linked: ({ deviceAgentId }) => event("linked", { gateway, device_agent_id: deviceAgentId }),
    unlinked: (reason, retryInMs) => event("unlinked", { reason, retry_in_ms: Math.round(retryInMs) }),
    devices(devices) {
      event("devices", {
        devices: devices.map(({ key, serial, name, state, hint }) => ({ key, serial, name, state, hint })),
      });
      if (devices.length === 0) log.warn(noPhone);
    },
  };
}

function textAnnouncer(gateway: string, stdout: (line: string) => void): Announcer {
  return {
    started: (version, dataDir) => stdout(`Farhand device agent ${version}; its data is in ${dataDir}.`),
    linked: ({ deviceAgentId }) => stdout(`Linked to ${gateway} as ${deviceAgentId}.`),
    unlinked: (reason, retryInMs) => stdout(`No link to ${gateway}: ${reason}. Next try in ${seconds(retryInMs)} s.`),
    devices(devices) {
      if (devices.length === 0) stdout(noPhone);
      for (const device of devices) stdout(describe(device));
    },
  };
}

function describe({ name, serial, state, hint }: DeviceReport): string {
  return `Phone ${name} (${serial}): ${state}${hint ? `. ${hint}` : ""}`;
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
