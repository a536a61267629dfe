import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulatedPhone, type SimulatedPhone } from "../../device-agent/simulated-phone/simulated-phone.ts";
import { sdkClient } from "../e2e/support/clients.ts";
import { devicesOf, type Listed } from "../e2e/support/house.ts";
import { createTcpProxy, type TcpProxy } from "../e2e/support/tcp-proxy.ts";
import { until } from "../e2e/support/until.ts";
import { createKillable, type Killable } from "./killable.ts";
import { createPatientClient, type PatientClient } from "./patient-client.ts";

/** Gateway and device agent as two processes that may be killed, and two phones that live through all of it. */
export interface KillableHouse {
  gateway: Killable;
  deviceAgent: Killable;
  /** Between the two. */
  link: TcpProxy;
  /** The first shows a map, where touches change nothing; the second a chat with the focus in its field. */
  phones: readonly [SimulatedPhone, SimulatedPhone];
  /** What clients call the phones, in the same order. */
  devices: readonly [string, string];
  client: PatientClient;
  stop(): Promise<void>;
}

const token = "kill-tests-token-0123456789-abcdefghijkl";

/** `program` is the built `cli/main.js`. */
export async function openKillableHouse(program: string): Promise<KillableHouse> {
  const dataDir = mkdtempSync(join(tmpdir(), "farhand-kills-"));
  const phones = [createSimulatedPhone({ model: "Map" }), createSimulatedPhone({ model: "Chat" })] as const;
  const addresses = await Promise.all(
    phones.map(async (phone) => {
      const { host, port } = await phone.listen({ host: "127.0.0.1", port: 0 });
      return `${host}:${port}`;
    }),
  );
  const env = { FARHAND_TOKEN: token, FARHAND_LOG_LEVEL: "error" };
  let port = 0;
  const gateway = createKillable(
    "gateway",
    () => [program, "gateway", "--json", "--port", String(port), "--data-dir", join(dataDir, "gateway")],
    env,
  );
  gateway.start();
  const url = String((await gateway.event("listening")).url);
  port = Number(new URL(url).port);
  const link = await createTcpProxy({ host: "127.0.0.1", port });
  const where = ["--gateway", `http://${link.address}`, "--data-dir", join(dataDir, "device-agent")];
  const which = ["--phones", "direct", "--direct", addresses.join(","), "--allow", "write"];
  const deviceAgent = createKillable(
    "device agent",
    () => [program, "device-agent", "--json", ...where, ...which],
    env,
  );
  deviceAgent.start();
  const client = createPatientClient({ url, token });
  return {
    gateway,
    deviceAgent,
    link,
    phones,
    devices: await readyDevices(client, phones),
    client,
    async stop() {
      await Promise.all([deviceAgent.kill(), gateway.kill()]);
      await link.close();
      await Promise.all(phones.map((phone) => phone.close()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The names of the phones, once both are ready. */
async function readyDevices(
  { mcp, token }: PatientClient,
  phones: KillableHouse["phones"],
): Promise<readonly [string, string]> {
  const client = await sdkClient.connect(mcp, token);
  let devices: (Listed & { model?: string })[] = [];
  await until(async () => {
    devices = devicesOf(await client.call("list_devices")).filter(({ state }) => state === "device");
    return devices.length === phones.length;
  });
  await client.close();
  const idOf = ({ model }: SimulatedPhone) => devices.find((device) => device.model === model)?.id ?? "";
  return [idOf(phones[0]), idOf(phones[1])];
}
