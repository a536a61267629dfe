// The product as `farhand up` starts it, with one simulated phone that allows everything, and a client that others wrote.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startChild } from "../../dist/cli/child.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Calls `work` with a connected client and with what `farhand up` said, and stops everything whatever happens. */
export async function withProduct(work) {
  const dataDir = mkdtempSync(join(tmpdir(), "farhand-examples-"));
  const place = ["--port", "0", "--data-dir", dataDir, "--phones", "simulated", "--log-level", "error"];
  const { PATH, HOME } = process.env;
  const up = startChild("farhand up", [program, "up", "--json", ...place], { PATH, HOME });
  const client = new Client({ name: "farhand-docs", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  try {
    const ready = await up.event(({ event }) => event === "ready", 60_000);
    const requestInit = { headers: { Authorization: `Bearer ${ready.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(ready.mcp), { requestInit }));
    return await work(client, ready);
  } finally {
    await client.close();
    await up.stop(15_000);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
