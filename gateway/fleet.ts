import type { Fleet } from "../shared/tools/define-tool.ts";
import type { Principal } from "./auth/principal.ts";
import type { Directory, DirectoryDevice } from "./directory.ts";
import type { Relay } from "./relay/relay.ts";

/** The devices of one principal, as `list_devices` tells them: one SELECT, and whether their links are up. */
export function createFleet(deps: {
  principal: Principal;
  directory: Pick<Directory, "page">;
  relay: Pick<Relay, "online">;
}): Fleet {
  const { principal, directory, relay } = deps;
  return {
    async list({ limit, cursor }) {
      const only = principal.devices;
      const { devices, nextCursor } = await directory.page({ tenant: principal.tenant, only, limit, cursor });
      const online = await relay.online([...new Set(devices.map(({ deviceAgentId }) => deviceAgentId))]);
      return { devices: devices.map((device) => tell(device, online.has(device.deviceAgentId))), nextCursor };
    },
  };
}

function tell(device: DirectoryDevice, online: boolean): Record<string, unknown> {
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
    foreground_app: online ? device.foregroundApp : null,
    as_of: new Date(device.asOf).toISOString(),
  };
}
