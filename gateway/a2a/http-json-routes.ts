import type { Method } from "./operations.ts";

interface Route {
  http: readonly string[];
  /** A segment may begin with one parameter in braces. */
  path: readonly string[];
  method: Method;
}

/** A2A 1.0.1, sections 5.3 and 11.3. The proto subscribes with GET, the text of the specification with POST. */
const routes: readonly Route[] = [
  { http: ["POST"], path: ["message:send"], method: "SendMessage" },
  { http: ["POST"], path: ["message:stream"], method: "SendStreamingMessage" },
  { http: ["GET"], path: ["tasks"], method: "ListTasks" },
  { http: ["POST"], path: ["tasks", "{id}:cancel"], method: "CancelTask" },
  { http: ["GET", "POST"], path: ["tasks", "{id}:subscribe"], method: "SubscribeToTask" },
  { http: ["GET"], path: ["tasks", "{id}"], method: "GetTask" },
  {
    http: ["POST"],
    path: ["tasks", "{taskId}", "pushNotificationConfigs"],
    method: "CreateTaskPushNotificationConfig",
  },
  { http: ["GET"], path: ["tasks", "{taskId}", "pushNotificationConfigs"], method: "ListTaskPushNotificationConfigs" },
  {
    http: ["GET"],
    path: ["tasks", "{taskId}", "pushNotificationConfigs", "{id}"],
    method: "GetTaskPushNotificationConfig",
  },
  {
    http: ["DELETE"],
    path: ["tasks", "{taskId}", "pushNotificationConfigs", "{id}"],
    method: "DeleteTaskPushNotificationConfig",
  },
  { http: ["GET"], path: ["extendedAgentCard"], method: "GetExtendedAgentCard" },
];

/** The method behind a path and the parameters in it; else which HTTP methods the path takes, none for an unknown one. */
export function matchRoute(
  http: string,
  path: readonly string[],
): { method: Method; params: Record<string, string> } | { allow: readonly string[] } {
  const fitting = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params ? [{ ...route, params }] : [];
  });
  const found = fitting.find((route) => route.http.includes(http));
  if (found) return { method: found.method, params: found.params };
  return { allow: fitting[0]?.http ?? [] };
}

function paramsOf(pattern: readonly string[], path: readonly string[]): Record<string, string> | null {
  if (pattern.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const given = path[index] ?? "";
    const [, name, verb = ""] = /^\{(\w+)\}(.*)$/.exec(segment) ?? [];
    if (name === undefined) {
      if (given !== segment) return null;
    } else {
      if (!given.endsWith(verb) || given.length === verb.length) return null;
      params[name] = given.slice(0, given.length - verb.length);
    }
  }
  return params;
}
