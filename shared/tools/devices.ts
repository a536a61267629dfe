import { z } from "zod";
import { tellBuild } from "../build-identity.ts";
import { defineDeviceTool, defineFleetTool } from "./define-tool.ts";
import { ok } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

/** One device as list_devices tells it. */
export const listedDevice = z.object({
  id: z.string(),
  name: z.string(),
  model: z.string(),
  android: z.string(),
  state: z.string(),
  hint: z.string().optional(),
  labels: z.array(z.string()),
  lease_holder: z.string().optional(),
  lease_expires_at: z.string().optional(),
  running_task: z.string().optional(),
  foreground_app: z.string().nullable(),
  as_of: z.string(),
});
export type ListedDevice = z.infer<typeof listedDevice>;

export const listDevices = defineFleetTool({
  name: "list_devices",
  title: "List devices",
  description: "Lists the phones you may use, with their state and what to do when one is not ready.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 10_000,
  input: z.strictObject({
    limit: z.number().int().min(1).max(100).default(50).meta(forPeople("Most devices to list.")),
    cursor: z.string().max(256).optional().meta(forPeople("next_cursor of the page before.")),
  }),
  output: z.object({ ok, devices: z.array(z.looseObject({})), next_cursor: z.string().nullable() }),
  async handle(fleet, { limit, cursor }) {
    const { devices, nextCursor } = await fleet.list({ limit, cursor });
    return { output: { ok: true, devices: devices.map((one) => ({ ...one })), next_cursor: nextCursor } };
  },
});

export const deviceInfo = defineDeviceTool({
  name: "device_info",
  title: "Device info",
  description:
    "Model, Android, screen, battery, lock and app in front; and which tools cannot work on this phone and why.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 20_000,
  tellsGateway: true,
  input: z.strictObject({}),
  output: z.object({
    ok,
    manufacturer: z.string(),
    model: z.string(),
    android: z.string(),
    sdk: z.number(),
    screen: z.looseObject({}),
    battery_percent: z.number().nullable(),
    charging: z.boolean().nullable(),
    locale: z.string().nullable(),
    abi: z.string().nullable(),
    network: z.string().nullable(),
    app: z.string().nullable(),
    limitations: z.array(z.looseObject({})),
    device_agent: z.looseObject({}),
    gateway: z.looseObject({}).nullable(),
  }),
  async handle({ device, signal, build }) {
    const facts = await device.facts(signal);
    const status = await device.status(signal);
    const front = await device.foreground(signal);
    const { width, height } = status.size;
    const { awake, locked, rotation, otherDisplays } = status;
    const others = otherDisplays?.map(({ id, size, rotation: turned }) => ({ id, ...size, rotation: turned }));
    return {
      output: {
        ok: true,
        manufacturer: facts.manufacturer,
        model: facts.model,
        android: facts.androidRelease,
        sdk: facts.sdk,
        screen: {
          width,
          height,
          rotation,
          density: facts.density,
          awake,
          locked,
          secure_lock: status.secureLock,
          ...(others && { other_displays: others }),
        },
        battery_percent: facts.batteryPercent,
        charging: facts.charging,
        locale: facts.locale,
        abi: facts.abi,
        network: facts.network,
        app: front.packageName,
        limitations: facts.limitations.map((one) => ({ ...one })),
        device_agent: tellBuild(build),
        // Filled in on the way, where there is a gateway.
        gateway: null,
      },
    };
  },
});
