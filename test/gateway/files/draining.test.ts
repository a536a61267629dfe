import { expect, test } from "vitest";
import type { AuditRow } from "../../../gateway/audit.ts";
import { createStaticTokens } from "../../../gateway/auth/static-token.ts";
import { fileRoutes } from "../../../gateway/files/routes.ts";
import { createLogLines } from "../../device-agent/support/log-lines.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { tokenFor } from "../support/start-test-gateway.ts";

const owner = tokenFor("owner", ["device:danger"]);

/** Routes of a gateway in which nothing may be reached any more. */
function routesOf(draining: boolean, devices: () => never[] = () => []) {
  const rows: AuditRow[] = [];
  const { log, lines } = createLogLines();
  const never = () => {
    throw new Error("secret");
  };
  const routes = fileRoutes({
    authenticator: createStaticTokens([owner]),
    relay: { openStream: never },
    cache: { devices },
    files: { register: never, find: never, remove: never },
    audit: { record: (row) => void rows.push(row) },
    clock: createManualClock(),
    log,
    randomId: () => "id-1",
    publicUrl: "http://gateway.example",
    draining: () => draining,
  });
  const headers = { authorization: `Bearer ${owner.token}` };
  return { rows, lines, ask: (method: string, path: string) => routes.request(path, { method, headers }) };
}

test.each([
  ["POST", "/"],
  ["PUT", "/file_a"],
  ["GET", "/file_a"],
  ["DELETE", "/file_a"],
])("a gateway that stops takes no %s, and says when to come back", async (method, path) => {
  const { ask, rows } = routesOf(true);
  const answer = await ask(method, path);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await answer.json()).toMatchObject({ ok: false, error: { code: "device_offline" } });
  expect(rows).toMatchObject([{ tool: `${method} /files`, outcome: "device_offline", subject: "owner" }]);
});

test("a fault of ours is told by its id alone, which the log has too", async () => {
  const { ask, lines } = routesOf(false);
  const answer = await ask("GET", "/file_a");
  expect(answer.status).toBe(500);
  expect(JSON.stringify(await answer.json())).toMatch(/^(?!.*secret).*id-1/);
  expect(lines.join()).toContain("secret");
});
