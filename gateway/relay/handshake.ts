import { CodedError } from "../../shared/errors.ts";
import { type Hello, linkProtocol } from "../../shared/link/messages.ts";

/** The newest protocol that both ends speak. Throws `unsupported` naming both when there is none. */
export function negotiateProtocol(hello: Hello, gatewayVersion: string): number {
  const common = Math.min(hello.protocol, linkProtocol.newest);
  if (common >= hello.oldest && common >= linkProtocol.oldest) return common;
  throw new CodedError("unsupported", "The gateway and this device agent share no version of the link protocol.", {
    hint:
      `The gateway (version ${gatewayVersion}) speaks ${range(linkProtocol.oldest, linkProtocol.newest)}, the device ` +
      `agent (version ${plain(hello.version)}) ${range(hello.oldest, hello.protocol)}: update the older one.`,
  });
}

const range = (oldest: number, newest: number) => (oldest === newest ? `${newest}` : `${oldest} to ${newest}`);

/** A version as it may stand in a sentence of ours. */
export const plain = (version: string) => version.replaceAll(/[^\w.+-]/g, "").slice(0, 32);
