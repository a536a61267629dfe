import { Fault } from "./faults.ts";

export const extensionsHeader = "A2A-Extensions";

/** An extension as cards declare it (a2a.proto, AgentExtension). */
export interface Extension {
  uri: string;
  description: string;
  required: boolean;
}

/** The catalogue of tools, which the extended card carries in the `params` of this extension. */
export const toolsExtension: Extension = {
  uri: "urn:farhand:tools:1",
  description: "The extended card lists the tools that steps may call, with their schemas, and the devices.",
  required: false,
};

export const servedExtensions: readonly Extension[] = [toolsExtension];

/** The served extensions that a request asks for (A2A 1.0.1, section 3.2.6). Throws a Fault when a required one is missing. */
export function activateExtensions(header: string | null, served: readonly Extension[]): string[] {
  const asked = new Set((header ?? "").split(",").map((uri) => uri.trim()));
  const missing = served.find(({ uri, required }) => required && !asked.has(uri));
  if (missing) {
    throw new Fault("extensionRequired", `This needs the extension ${missing.uri}: name it in ${extensionsHeader}.`, {
      metadata: { uri: missing.uri },
    });
  }
  return served.filter(({ uri }) => asked.has(uri)).map(({ uri }) => uri);
}
