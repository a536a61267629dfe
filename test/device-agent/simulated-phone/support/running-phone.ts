import type { Adb } from "@yume-chan/adb";
import { onTestFinished } from "vitest";
import {
  createSimulatedPhone,
  type SimulatedPhone,
  type SimulatedPhoneOptions,
} from "../../../../device-agent/simulated-phone/simulated-phone.ts";
import { openDirectAdb } from "./direct-adb.ts";

export interface RunningPhone {
  readonly phone: SimulatedPhone;
  readonly adb: Adb;
  readonly port: number;
  /** Runs a command line and gives what it printed and its status. */
  run(commandLine: string): Promise<{ stdout: string; stderr: string; status: number }>;
  /** Standard output of a command line. */
  text(commandLine: string): Promise<string>;
  /** The current screen as `uiautomator` tells it. */
  nodes(): Promise<readonly TreeNode[]>;
  find(condition: (node: TreeNode) => boolean): Promise<TreeNode>;
  /** Taps the middle of the node with this text, description or short resource id. */
  tap(name: string): Promise<void>;
}

export interface TreeNode {
  readonly attributes: Readonly<Record<string, string>>;
  readonly bounds: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** A phone that is listening and a host connected to it; both end with the test. */
export async function startPhone(options: SimulatedPhoneOptions = {}): Promise<RunningPhone> {
  const phone = createSimulatedPhone(options);
  const { port } = await phone.listen();
  const adb = await openDirectAdb(port);
  onTestFinished(async () => {
    await phone.close();
  });

  async function run(commandLine: string) {
    const protocol = adb.subprocess.shellProtocol;
    if (!protocol)
      return { stdout: await adb.subprocess.noneProtocol.spawnWaitText(commandLine), stderr: "", status: 0 };
    const result = await protocol.spawnWaitText(commandLine);
    return { stdout: result.stdout, stderr: result.stderr, status: result.exitCode };
  }
  const text = async (commandLine: string) => (await run(commandLine)).stdout;
  const nodes = async () => parseTree(await text("uiautomator dump /dev/tty"));
  async function find(condition: (node: TreeNode) => boolean): Promise<TreeNode> {
    const all = await nodes();
    const found = all.find(condition);
    if (!found)
      throw new Error(
        `no such node among ${all
          .map(({ attributes }) => attributes.text || attributes["content-desc"])
          .filter(Boolean)
          .join(" | ")}`,
      );
    return found;
  }

  return {
    phone,
    adb,
    port,
    run,
    text,
    nodes,
    find,
    async tap(name) {
      const { bounds } = await find(named(name));
      await run(
        `input tap ${Math.round((bounds.left + bounds.right) / 2)} ${Math.round((bounds.top + bounds.bottom) / 2)}`,
      );
    },
  };
}

export const named =
  (name: string) =>
  ({ attributes }: TreeNode) =>
    attributes.text === name ||
    attributes["content-desc"] === name ||
    attributes["resource-id"]?.split("/")[1] === name;

export function parseTree(xml: string): TreeNode[] {
  return [...xml.matchAll(/<node ([^>]*?)\/?>/g)].map(([, body = ""]) => {
    const attributes = Object.fromEntries(
      [...body.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, unescapeXml(value)]),
    );
    const [left = 0, top = 0, right = 0, bottom = 0] = (attributes.bounds?.match(/-?\d+/g) ?? []).map(Number);
    return { attributes, bounds: { left, top, right, bottom } };
  });
}

function unescapeXml(text: string): string {
  const names: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code ? String.fromCodePoint(Number(code)) : (names[name] ?? ""),
  );
}
