import { z } from "zod";
import { CodedError } from "../errors.ts";
import { isError } from "../screen/look.ts";
import { findText } from "../screen/match.ts";
import { settle } from "../screen/observe.ts";
import { line } from "../screen/tree-view.ts";
import { type DeviceCall, defineDeviceTool } from "./define-tool.ts";
import { ok, packageName } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const text = z.string().min(1).max(100).optional().meta(forPeople("Text as shown; case does not matter."));
const stepMs = 300;

interface Sight {
  met: boolean;
  element?: string;
}

async function findNow(call: DeviceCall, wanted: string): Promise<Sight | null> {
  try {
    const tree = await call.device.readTree(call.signal);
    const [first] = findText(tree, wanted);
    return first ? { met: true, element: line(first, tree.size, call.pictures.shownSize(tree)) } : { met: false };
  } catch (thrown) {
    // A moving screen gives no tree now and then: that is what waiting is for.
    if (isError(thrown) && thrown.code.startsWith("ui_")) return null;
    throw thrown;
  }
}

export const waitFor = defineDeviceTool({
  name: "wait_for",
  title: "Wait for",
  description: "Waits until a text is there (text) or gone (gone), an app is in front (app), or nothing moves (idle).",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 45_000,
  input: z.strictObject({
    text,
    gone: text,
    app: packageName.optional().meta(forPeople("Package name.")),
    idle: z.boolean().optional().meta(forPeople("true: until two looks are the same.")),
    timeout_ms: z.number().int().min(0).max(40_000).default(10_000).meta(forPeople("How long to wait at most.")),
  }),
  output: z.object({ ok, met: z.boolean(), waited_ms: z.number(), element: z.string().optional() }),
  async handle(call, { text: wanted, gone, app, idle, timeout_ms: bound }) {
    const look = condition(call, { wanted, gone, app, idle: idle || undefined });
    const startedAt = call.now();
    for (;;) {
      const left = bound - (call.now() - startedAt);
      const sight = await look(left);
      const waited = call.now() - startedAt;
      if (sight.met || waited + stepMs > bound) return { output: { ok: sight.met, ...sight, waited_ms: waited } };
      call.progress(waited, bound, "Waiting");
      await call.pause(stepMs);
    }
  },
});

interface Wish {
  wanted: string | undefined;
  gone: string | undefined;
  app: string | undefined;
  idle: true | undefined;
}

function condition(call: DeviceCall, wish: Wish): (left: number) => Promise<Sight> {
  const { wanted, gone, app, idle } = wish;
  if (Object.values(wish).filter((value) => value !== undefined).length !== 1) {
    throw new CodedError("invalid_argument", "Say what to wait for by exactly one of text, gone, app, idle.");
  }
  if (wanted !== undefined) return async () => (await findNow(call, wanted)) ?? { met: false };
  if (gone !== undefined) return async () => ({ met: (await findNow(call, gone))?.met === false });
  if (app !== undefined) return async () => ({ met: (await call.device.foreground(call.signal)).packageName === app });
  return async (left) => ({ met: idle === true && (await settle(call, Math.max(1_000, left))) });
}
