import type { Task } from "../../gateway/tasks/task.ts";
import type { KillableHouse } from "./killable-house.ts";

/** In the field at the bottom of the chat. */
export const fieldPlace = { x: 250, y: 1_100 };

const screens = [
  [{ tool: "open_app", arguments: { package: "app.farhand.maps" } }],
  [
    { tool: "stop_app", arguments: { package: "app.farhand.chat" } },
    { tool: "open_app", arguments: { package: "app.farhand.chat" } },
    { tool: "take_screenshot", arguments: {} },
    { tool: "tap", arguments: fieldPlace },
  ],
];

/**
 * Brings both phones to the screens that a run begins with, by a Task each: so it shows too that no Task of before has a
 * phone any more. Resolves with what went wrong.
 */
export async function prepare({ client, devices }: KillableHouse, name: string): Promise<string[]> {
  const ends = screens.map(async (steps, phone) => {
    const message = {
      messageId: `${name}-${phone}`,
      role: "ROLE_USER",
      parts: [{ data: { steps } }],
      metadata: { device: devices[phone] },
    };
    const answer = await client.call("SendMessage", { message });
    if ("error" in answer) return [`phone ${phone} took no Task: ${JSON.stringify(answer.error)}`];
    const { status } = (answer.result as { task: Task }).task;
    return status.state === "TASK_STATE_COMPLETED" ? [] : [`phone ${phone} was not free: ${JSON.stringify(status)}`];
  });
  return (await Promise.all(ends)).flat();
}
