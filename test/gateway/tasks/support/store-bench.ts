import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Principal } from "../../../../gateway/auth/principal.ts";
import type { DirectoryDevice } from "../../../../gateway/directory.ts";
import { systemClock } from "../../../../gateway/node/system-clock.ts";
import { type Database, openDatabase } from "../../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../../gateway/store/libsql-directory.ts";
import { createLibsqlTasks } from "../../../../gateway/store/libsql-tasks.ts";
import { createBell } from "../../../../gateway/tasks/bell.ts";
import { createTaskService } from "../../../../gateway/tasks/service.ts";
import type { TaskUpdate } from "../../../../gateway/tasks/task.ts";
import type { ToDeviceAgent } from "../../../../shared/link/messages.ts";
import { createLogger } from "../../../../shared/log.ts";
import type { Permission } from "../../../../shared/permissions.ts";
import type { TaskEvent } from "../../../../shared/tasks/task-event.ts";
import { toolSpecs } from "../../../../shared/tools/specs.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const log = createLogger({ source: "test", level: "error", write: () => {}, now: () => 0 });

export const principal = (over: Partial<Principal> = {}): Principal => ({
  tenant: "t",
  subject: "owner",
  scopes: ["task:run", "screen:read", "screen:write"] as Permission[],
  devices: "all",
  ...over,
});

export const device = (id: string, over: Partial<DirectoryDevice> = {}): DirectoryDevice => ({
  id,
  tenant: "t",
  deviceAgentId: "da_1",
  key: `key of ${id}`,
  name: id,
  model: "Pixel 8",
  androidRelease: "15",
  state: "device",
  hint: null,
  labels: [],
  foregroundApp: null,
  leaseHolder: null,
  leaseExpiresAt: null,
  runningTask: null,
  asOf: 0,
  ...over,
});

/** A temp folder with a database of the gateway in it, and what the gateway makes of it, as often as it starts. */
export async function openStoreBench() {
  const folder = await mkdtemp(join(tmpdir(), "farhand-store-"));
  const url = `file:${join(folder, "gateway.db")}`;
  const opened: Database[] = [];

  return {
    /** All parts anew on the same file, as after a start of the process. */
    async start(devices: DirectoryDevice[] = [device("dev_1")]) {
      const database = await openDatabase({ url, clock: systemClock, log });
      opened.push(database);
      const clock = createManualClock();
      const bell = createBell();
      const store = createLibsqlTasks(database);
      const directory = createLibsqlDirectory(database);
      const admitted = { tenant: "t", installId: "i", name: "desk", version: "1", bootId: "b", connectSeq: 1 };
      await directory.admitDeviceAgent({ id: "da_1", ...admitted }, 1);
      const sent: ToDeviceAgent[] = [];
      const stops = new Set<() => void>();
      let count = 0;
      const deps = {
        store,
        bell,
        clock,
        log,
        relay: {
          async notify(_: string, message: ToDeviceAgent) {
            sent.push(message);
            return true;
          },
        },
        cache: { devices: () => devices },
        tools: toolSpecs,
        randomId: () => `${opened.length}-${count++}`,
        hash: (text: string) => createHash("sha256").update(text).digest("hex"),
        publicUrl: "https://gateway.test",
        secrets: ["a-token-of-the-gateway-0123456789-0123456789"],
        checkPushConfig: () => {},
        stopBell: {
          hasRung: () => false,
          listen(action: () => void) {
            stops.add(action);
            return () => stops.delete(action);
          },
        },
      };
      return {
        ...deps,
        sent,
        service: createTaskService(deps),
        /** What the stop of the gateway sets off. */
        ringStop: () => {
          for (const action of [...stops]) action();
        },
        /** An event of the device agent, stored and rung for. */
        async tell(taskId: string, sourceSeq: number, event: TaskEvent) {
          const now = clock.now();
          const entry = { taskId, deviceAgentId: "da_1", connectSeq: 1, sourceSeq, event, now };
          const standing = await store.appendFromSource({ ...entry, leaseEndsAt: now + 90_000, expiresAt: null });
          bell.ring(taskId);
          return standing;
        },
        close: () => database.close(),
      };
    },
    async remove() {
      for (const database of opened) await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type StoreBench = Awaited<ReturnType<typeof openStoreBench>>;
export type Started = Awaited<ReturnType<StoreBench["start"]>>;

/** Reads updates to their end. */
export async function collect(updates: AsyncIterable<TaskUpdate>): Promise<TaskUpdate[]> {
  const all: TaskUpdate[] = [];
  for await (const update of updates) all.push(update);
  return all;
}
