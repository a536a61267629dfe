import { createPicturesSeen } from "../../device-agent/calls/pictures-seen.ts";
import type { Device } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import { deviceTools } from "../../shared/tools/catalog.ts";
import type { ToolResult } from "../../shared/tools/define-tool.ts";
import { testBuild } from "./build.ts";
import { keptFiles } from "./kept-files.ts";

export interface ToolCaller {
  /** Runs one tool as one caller; time passes at once when the tool waits. */
  call(tool: string, input?: unknown): Promise<ToolResult>;
  progress: { done: number; total: number; message: string }[];
  /** What the caller uploaded, by id. */
  files: Map<string, Uint8Array>;
  /** As if the phone took so long. */
  pass(ms: number): void;
  /** Milliseconds that the tools have waited. */
  elapsed(): number;
}

/** One caller of one phone, without gateway, link or queue between them. */
export function toolCaller(device: Device, whileWaiting: (elapsed: number) => void = () => {}): ToolCaller {
  let now = 1_000_000;
  let nextId = 0;
  const progress: ToolCaller["progress"] = [];
  const seen = createPicturesSeen({ now: () => now, newId: () => `p_${nextId++}` });
  const find = (name: string) => {
    const tool = deviceTools.find((one) => one.name === name);
    if (!tool) throw new CodedError("invalid_argument", `There is no tool ${name}.`);
    return tool;
  };
  const files: ToolCaller["files"] = new Map();
  const caller: ToolCaller = {
    progress,
    files,
    pass(ms) {
      now += ms;
    },
    elapsed: () => now - 1_000_000,
    async call(name, input = {}) {
      const tool = find(name);
      const signal = new AbortController().signal;
      return tool.handle(
        {
          device,
          kept: keptFiles(files),
          pictures: seen.of("caller", "phone"),
          lease: {
            acquire: async ({ minutes }) => ({ id: "lease_1", expiresAt: now + minutes * 60_000 }),
            release: async () => {},
          },
          steps: {
            check: (step) => void find(step.tool),
            run: ({ tool: inner, arguments: given }) => caller.call(inner, given),
            leftMs: () => 45_000 - (now - 1_000_000),
          },
          build: testBuild,
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
  return caller;
}
