import type { StaticToken } from "../../../../gateway/auth/static-token.ts";
import type { Clock } from "../../../../shared/clock.ts";
import { startTestGateway, type TestGateway, tokenFor } from "../../support/start-test-gateway.ts";
import { createFakeTasks, type FakeTasks } from "./fake-tasks.ts";

export interface A2aGateway extends TestGateway {
  tasks: FakeTasks;
}

/** May do everything, and is somebody else than the owner. */
export const stranger = tokenFor("stranger", ["screen:read", "screen:write", "task:run"]);
/** May look, and run no Tasks. */
export const onlooker = tokenFor("onlooker", ["screen:read"]);

/** A whole gateway whose Tasks are in the test's hands. */
export async function startA2a(
  options: { clock?: Clock; flags?: Record<string, string>; tokens?: StaticToken[] } = {},
): Promise<A2aGateway> {
  const tasks = createFakeTasks();
  const tokens = [stranger, onlooker, ...(options.tokens ?? [])];
  const gateway = await startTestGateway({ ...options, tokens, tasks });
  return { ...gateway, tasks };
}

let count = 0;
/** A message with an id of its own. */
export function words(text: string, more: object = {}) {
  count += 1;
  return { messageId: `message-${count}`, role: "ROLE_USER", parts: [{ text }], ...more };
}
