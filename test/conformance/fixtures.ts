import type { McpExtension } from "../../gateway/mcp/server.ts";
import { installContent } from "./fixture-content.ts";
import { inputTools, stateCodec } from "./fixture-inputs.ts";
import { plainTools } from "./fixture-tools.ts";

const tools = new Map([...plainTools, ...inputTools].map((one) => [one.tool.name, one]));

/** What the official conformance suite expects of a server, plugged into the real endpoint. Never part of the product. */
export const conformanceFixtures: McpExtension = {
  options: {
    capabilities: { resources: {}, prompts: {}, completions: {}, logging: {} },
    requestState: { verify: stateCodec.verify },
  },
  tools: [...tools.values()].map(({ tool }) => tool),
  async callTool(name, args, context) {
    const found = tools.get(name);
    if (!found) throw new TypeError(`There is no fixture ${name}.`);
    return found.call(context, args);
  },
  install: installContent,
};
