import { createPicturesSeen } from "../../device-agent/calls/pictures-seen.ts";
import type { Device } from "../../shared/device.ts";
import { deviceTools } from "../../shared/tools/catalog.ts";
import type { ToolResult } from "../../shared/tools/define-tool.ts";

export interface ToolCaller {
  /** Runs one tool as one caller; time passes at once when the tool waits. */
  call(tool: string, input?: unknown): Promise<ToolResult>;
  progress: { done: number; total: number; message: string }[];
  /** Milliseconds that the tools have waited. */
  elapsed(): number;
}

/** One caller of one phone, without gateway, link or queue between them. */
export function toolCaller(device: Device, whileWaiting: (elapsed: number) => void = () => {}): ToolCaller {
  let now = 1_000_000;
  let nextId = 0;
  const progress: ToolCaller["progress"] = [];
  const seen = createPicturesSeen({ now: () => now, newId: () => `p_${nextId++}` });
  return {
    progress,
    elapsed: () => now - 1_000_000,
    async call(name, input = {}) {
      const tool = deviceTools.find((one) => one.name === name);
      if (!tool) throw new TypeError(`There is no tool ${name}.`);
      const signal = new AbortController().signal;
      return tool.handle(
        {
          device,
          pictures: seen.of("caller", "phone"),
          signal,
          progress: (done, total, message) => progress.push({ done, total, message }),
          async pause(ms) {
            now += ms;
            whileWaiting(now - 1_000_000);
          },
          now: () => now,
        },
        input,
      );
    },
  };
}
