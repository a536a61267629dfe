import { catalog } from "./catalog.ts";
import type { FleetTool, ToolSpec } from "./define-tool.ts";

/** All that the gateway may know of the tools: every spec without its handler, and the few tools that run there. */
export const toolSpecs: readonly ToolSpec[] = catalog.map(
  ({
    name,
    title,
    description,
    permission,
    effect,
    timeoutMs,
    input,
    output,
    kind,
    seeks,
    tellsGateway,
    taskTimeoutMs,
  }): ToolSpec => ({
    name,
    title,
    description,
    permission,
    effect,
    timeoutMs,
    input,
    output,
    kind,
    seeks,
    tellsGateway,
    taskTimeoutMs,
  }),
);

export const fleetTools: readonly FleetTool[] = catalog.filter((tool) => tool.kind === "fleet");
