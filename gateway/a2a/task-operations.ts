import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { TaskService } from "../tasks/task-service.ts";
import { type Operations, unary } from "./operations.ts";
import {
  getTaskParams,
  listTasksParams,
  newWebhookParams,
  ofTaskParams,
  taskParams,
  webhookParams,
} from "./requests.ts";
import { keptWebhook, shownWebhook } from "./shapes.ts";

/** The methods on Tasks that are there already, and on their webhooks. */
export function taskOperations({
  tasks,
  randomId,
}: {
  tasks: TaskService;
  randomId: () => string;
}): Omit<Operations, "SendMessage" | "SendStreamingMessage" | "SubscribeToTask" | "GetExtendedAgentCard"> {
  return {
    GetTask: unary("task:run", getTaskParams, ({ principal }, { id, historyLength }) =>
      tasks.get(principal, id, historyLength),
    ),

    ListTasks: unary("task:run", listTasksParams, ({ principal }, { status, statusTimestampAfter, ...query }) =>
      tasks.list(principal, { ...query, state: status, statusAtFrom: statusTimestampAfter }),
    ),

    // What a phone does at this moment is finished first, and a call takes no longer than its deadline.
    CancelTask: unary("task:run", taskParams, ({ principal }, { id }) =>
      tasks.cancel(principal, id, limits.callDeadlineMs),
    ),

    CreateTaskPushNotificationConfig: unary(
      "task:run",
      newWebhookParams,
      async ({ principal }, { taskId, ...webhook }) =>
        shownWebhook(await tasks.savePushConfig(principal, { taskId, ...keptWebhook(webhook, randomId) })),
    ),

    GetTaskPushNotificationConfig: unary("task:run", webhookParams, async ({ principal }, { taskId, id }) => {
      const found = (await tasks.pushConfigs(principal, taskId)).find((config) => config.id === id);
      if (found) return shownWebhook(found);
      throw new CodedError("task_not_found", "This Task has no push notification configuration with this id.", {
        hint: "List them with ListTaskPushNotificationConfigs.",
      });
    }),

    // A Task has so few that they always fit on one page.
    ListTaskPushNotificationConfigs: unary("task:run", ofTaskParams, async ({ principal }, { taskId }) => ({
      configs: (await tasks.pushConfigs(principal, taskId)).map(shownWebhook),
      nextPageToken: "",
    })),

    DeleteTaskPushNotificationConfig: unary("task:run", webhookParams, async ({ principal }, { taskId, id }) => {
      await tasks.deletePushConfig(principal, taskId, id);
      return {};
    }),
  };
}
