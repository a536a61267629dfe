import { readFile } from "node:fs/promises";
import type { DeviceAgentConfig } from "../config.ts";
import { StartError } from "../start-error.ts";

/** Gives the token for the next attempt to dial; a file is read each time, so that it can be replaced. Throws StartError. */
export type TokenSource = () => Promise<string>;

const wellFormed = /^[\x21-\x7e]{32,4096}$/;

/** Checks at once what can be checked. Throws StartError. */
export async function openTokenSource({
  token,
  tokenFile,
}: Pick<DeviceAgentConfig, "token" | "tokenFile">): Promise<TokenSource> {
  if (token !== undefined) return async () => token;
  if (tokenFile === undefined) throw new StartError("a token is needed: give --token-file FILE or FARHAND_TOKEN");
  await readToken(tokenFile);
  return () => readToken(tokenFile);
}

async function readToken(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new StartError(`cannot read the token file ${file}`, cause);
  });
  if (wellFormed.test(text.trim())) return text.trim();
  throw new StartError(`the token file ${file} must hold at least 32 printable characters without spaces`);
}
