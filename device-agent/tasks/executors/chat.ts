import type { TaskExecutor } from "../task-executor.ts";

/** Tasks in words, where there is no model to understand them. */
export function createChatExecutor(): TaskExecutor {
  return {
    check: () => {},
    run: async () => ({
      state: "TASK_STATE_FAILED",
      text: 'No model is configured at the device agent. Tasks in words need one; the skill "steps" does the same without: send a data part {"steps": [{"tool": "take_screenshot", "arguments": {}}]}.',
    }),
  };
}
