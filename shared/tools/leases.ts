import { z } from "zod";
import { defineDeviceTool } from "./define-tool.ts";
import { ok } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const timeoutMs = 20_000;
/** The gateway fills it in, which alone knows what a phone is called. */
const filledIn = z.string().optional();

export const acquireDevice = defineDeviceTool({
  name: "acquire_device",
  title: "Acquire device",
  description: "Keeps other callers from acting on a phone for a while. Pass the lease_id to every call that acts.",
  permission: "device:lease",
  effect: "write",
  timeoutMs,
  touchesPhone: false,
  seeks: "free",
  input: z.strictObject({
    label: z.string().min(1).max(64).optional().describe("Takes a free phone that has it."),
    any: z.boolean().optional().describe("Takes any free phone."),
    minutes: z.number().int().min(1).max(60).default(10).meta(forPeople("How long; acquire again to extend.")),
    purpose: z.string().max(200).optional().meta(forPeople("For the phone's owner, in the audit.")),
  }),
  output: z.object({ ok, lease_id: z.string(), device: filledIn, name: filledIn, expires_at: z.string() }),
  async handle({ lease }, { label, any, minutes, purpose }) {
    // Whoever looks for a free phone must not get one on which another conversation of his works.
    const onlyFree = any === true || label !== undefined;
    const { id, expiresAt } = await lease.acquire({ minutes, purpose, onlyFree });
    return { output: { ok: true, lease_id: id, expires_at: new Date(expiresAt).toISOString() } };
  },
});

export const releaseDevice = defineDeviceTool({
  name: "release_device",
  title: "Release device",
  description: "Ends a lease before its time.",
  permission: "device:lease",
  effect: "write",
  timeoutMs,
  touchesPhone: false,
  seeks: "held",
  input: z.strictObject({ lease_id: z.string().min(1).max(64).meta(forPeople("What acquire_device gave.")) }),
  output: z.object({ ok, name: filledIn }),
  async handle({ lease }, { lease_id }) {
    await lease.release(lease_id);
    return { output: { ok: true } };
  },
});
