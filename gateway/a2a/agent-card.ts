import { type Permission, permissions, permissionTable } from "../../shared/permissions.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import { inputSchemaOf, outputSchemaOf } from "../../shared/tools/json-schema.ts";
import type { DirectoryDevice } from "../directory.ts";
import { toolsExtension } from "./extensions.ts";
import { inputModes, outputModes } from "./media-types.ts";
import type { Skill } from "./message-content.ts";
import { protocolVersion } from "./version.ts";

export interface CardOptions {
  /** Without a slash at its end. */
  publicUrl: string;
  version: string;
  /** Those that there are, or those that its reader may call. */
  tools: readonly ToolSpec[];
  /** The only one that it is about; null for all of the caller's. */
  device: DirectoryDevice | null;
  /** Given only to readers with a token: the devices that they may use. */
  devices?: readonly DirectoryDevice[];
}

const scheme = "bearer";
const needs = (...scopes: Permission[]) => [{ schemes: { [scheme]: { list: scopes } } }];

/** An AgentCard in ProtoJSON (a2a.proto). With `devices` it is the extended one, which lists the tools with their schemas. */
export function agentCard({ publicUrl, version, tools, device, devices }: CardOptions) {
  const url = `${publicUrl}/a2a${device ? `/${device.id}` : ""}`;
  return {
    name: device ? `Farhand: ${device.name}` : "Farhand",
    description: device
      ? `Works the Android phone ${device.name} (${device.model}, Android ${device.androidRelease}).`
      : "Works Android phones, wherever they are: sees the screen, touches, types, and does what is asked in words.",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion },
      { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion },
    ],
    provider: { organization: "Farhand", url: publicUrl },
    version,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [devices ? { ...toolsExtension, params: catalogue(tools, devices) } : toolsExtension],
    },
    securitySchemes: {
      [scheme]: { httpAuthSecurityScheme: { scheme: "Bearer", description: "A token of this gateway." } },
    },
    securityRequirements: needs("task:run"),
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: [chatSkill, stepsSkill, ...permissions.flatMap((permission) => toolSkill(permission, tools))],
  };
}

interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
  securityRequirements: ReturnType<typeof needs>;
}

const chatSkill: AgentSkill = {
  id: "chat" satisfies Skill,
  name: "Chat",
  description: "Does on the phone what a message says in words. It needs a model at the device agent.",
  tags: ["android", "phone", "words"],
  examples: ["Open the notes app and write: buy milk.", "Which notifications are there?"],
  inputModes,
  outputModes,
  securityRequirements: needs("task:run"),
};

const stepsSkill: AgentSkill = {
  id: "steps" satisfies Skill,
  name: "Steps",
  description: "Calls tools one after another, without a model: a data part with steps, each a tool and its arguments.",
  tags: ["android", "phone", "tools"],
  examples: ['{"steps":[{"tool":"open_app","arguments":{"app":"Notes"}},{"tool":"take_screenshot"}]}'],
  inputModes: ["application/json"],
  outputModes,
  securityRequirements: needs("task:run"),
};

/** What one permission opens, told as a skill. Tools of Tasks themselves are A2A's own methods. */
function toolSkill(permission: Permission, tools: readonly ToolSpec[]): AgentSkill[] {
  const opened = tools.filter((tool) => tool.permission === permission);
  if (permission === "task:run" || opened.length === 0) return [];
  return [
    {
      id: permission,
      name: permissionTable[permission].replace(/\.$/, ""),
      description: `These tools work the phone, as steps of the skill steps, and as far as its owner allows it.`,
      tags: opened.map(({ name }) => name),
      examples: opened.map(({ description }) => description),
      inputModes: ["application/json"],
      outputModes,
      securityRequirements: needs("task:run", permission),
    },
  ];
}

function catalogue(tools: readonly ToolSpec[], devices: readonly DirectoryDevice[]) {
  return {
    tools: tools.map((spec) => ({
      name: spec.name,
      title: spec.title,
      description: spec.description,
      permission: spec.permission,
      effect: spec.effect,
      inputSchema: inputSchemaOf(spec),
      outputSchema: outputSchemaOf(spec),
    })),
    devices: devices.map(({ id, name }) => ({ id, name })),
  };
}
