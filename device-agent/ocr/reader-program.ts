// The process that reads text from pixels. The models block the thread that runs them and hold some 300 MB, and a
// fault in native code ends a process: none of that may happen to the device agent.
import { availableParallelism, constants, setPriority } from "node:os";
import { loadModels, resolveAddOn } from "./onnx-models.ts";
import { createPipeline, type Pipeline } from "./pipeline.ts";
import type { FromReader, ToReader } from "./reader-messages.ts";

const mostThreads = 4;

const [ocrDir = ""] = process.argv.slice(2);
const running = new Map<number, AbortController>();

const send = (message: FromReader) => process.send?.(message);
const describe = (thrown: unknown) => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));

async function open(): Promise<Pipeline> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return createPipeline(await loadModels(resolveAddOn(ocrDir), Math.min(mostThreads, availableParallelism())));
}

async function read(pipeline: Pipeline, { id, image }: Extract<ToReader, { type: "read" }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    send({ type: "texts", id, texts: await pipeline(image, controller.signal) });
  } catch (thrown) {
    send({ type: "failed", id, reason: describe(thrown) });
  } finally {
    running.delete(id);
  }
}

process.on("disconnect", () => process.exit(0));

const opened = open();
opened.catch((thrown: unknown) => {
  process.send?.({ type: "unusable", reason: describe(thrown) } satisfies FromReader, () => process.exit(1));
});
process.on("message", (message: ToReader) => {
  if (message.type === "cancel") running.get(message.id)?.abort();
  else
    opened.then(
      (pipeline) => read(pipeline, message),
      () => {},
    );
});
