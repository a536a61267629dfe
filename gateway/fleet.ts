import type { Fleet, TasksOfCaller } from "../shared/tools/define-tool.ts";
import type { Principal } from "./auth/principal.ts";
import type { Directory, DirectoryDevice } from "./directory.ts";
import type { Relay } from "./relay/relay.ts";
import { isLeased } from "./seek-device.ts";

/** The devices of one principal, as `list_devices` tells them: one SELECT, and whether their links are up. */
export function createFleet(deps: {
  principal: Principal;
  directory: Pick<Directory, "page">;
  relay: Pick<Relay, "online">;
  tasks: TasksOfCaller;
  now: () => number;
}): Fleet {
  const { principal, directory, relay, tasks, now } = deps;
  return {
    tasks,
    async list({ limit, cursor }) {
      const only = principal.devices;
      const { devices, nextCursor } = await directory.page({ tenant: principal.tenant, only, limit, cursor });
      const online = await relay.online([...new Set(devices.map(({ deviceAgentId }) => deviceAgentId))]);
      return { devices: devices.map((device) => tell(device, online.has(device.deviceAgentId), now())), nextCursor };
    },
  };
}

function tell(device: DirectoryDevice, online: boolean, now: number): Record<string, unknown> {
  const hint = online
    ? device.hint
    : "The device agent of this phone is not connected; start it, or check its network.";
  return {
    id: device.id,
    name: device.name,
    model: device.model,
    android: device.androidRelease,
    state: online ? device.state : "offline",
    ...(hint === null ? {} : { hint }),
    labels: device.labels,
    ...(isLeased(device, now) ? leaseOf(device) : {}),
    ...(online && device.runningTask !== null ? { running_task: device.runningTask } : {}),
    foreground_app: online ? device.foregroundApp : null,
    as_of: new Date(device.asOf).toISOString(),
  };
}

const leaseOf = ({ leaseHolder, leaseExpiresAt }: DirectoryDevice) => ({
  lease_holder: leaseHolder,
  lease_expires_at: new Date(leaseExpiresAt ?? 0).toISOString(),
});
