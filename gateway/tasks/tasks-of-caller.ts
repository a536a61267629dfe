import { type Message, type Part, resultArtifactId } from "../../shared/tasks/message.ts";
import type { ShownPicture, TasksOfCaller, ToldTask } from "../../shared/tools/define-tool.ts";
import type { Principal } from "../auth/principal.ts";
import type { ProgressReport } from "../relay/relay.ts";
import type { Task, TaskUpdate } from "./task.ts";
import type { TaskService } from "./task-service.ts";

/**
 * What one answer of a tool may carry, so that all of it stays under `limits.responseBytes`: the result in bytes, the
 * others in characters; a picture as the base64 of `limits.inlineArtifactBytes`.
 */
const resultBytes = 350_000;
const messageCharacters = 8_000;
const namesShown = 50;
const nameCharacters = 80;
const pictureCharacters = 350_000;

/** The Tasks of one principal, for the call of a tool. A caller that goes away ends no Task. */
export function createTasksOfCaller(deps: {
  tasks: TaskService;
  principal: Principal;
  /** A repeated call is the same message, and thereby the same Task. */
  callId: string;
  signal: AbortSignal | undefined;
  onProgress: ((report: ProgressReport) => void) | undefined;
}): TasksOfCaller {
  const { tasks, principal, signal, onProgress } = deps;
  let progress = 0;
  const onUpdate = (update: TaskUpdate) => {
    const message = update.kind === "status" ? wordsOf(update.status.message) : null;
    if (message !== null) onProgress?.({ progress: ++progress, message });
  };

  return {
    async send({ message, steps, device, contextId, taskId }) {
      const parts: Part[] =
        steps === undefined ? [{ text: message ?? "" }] : [{ data: JSON.parse(JSON.stringify({ steps })) }];
      const ids = { ...(contextId === undefined ? {} : { contextId }), ...(taskId === undefined ? {} : { taskId }) };
      const sent: Message = { messageId: `call_${deps.callId}`, role: "ROLE_USER", parts, ...ids };
      const { id } = await tasks.send(principal, {
        message: sent,
        skill: steps === undefined ? "chat" : "steps",
        device,
      });
      return id;
    },
    async settled(taskId, waitMs) {
      if (waitMs === 0) return toldTask(await tasks.get(principal, taskId));
      return toldTask(await tasks.settled(principal, taskId, { waitMs, signal, onUpdate }));
    },
    async cancel(taskId, waitMs) {
      return toldTask(await tasks.cancel(principal, taskId, waitMs));
    },
  };
}

function toldTask({ id, contextId, status, artifacts = [] }: Task): ToldTask {
  const result = artifacts.find(({ artifactId }) => artifactId === resultArtifactId)?.parts[0]?.data;
  const resultLeftOut = costOf(result) > resultBytes;
  const message = wordsOf(status.message);
  const names = artifacts.flatMap(({ artifactId, name }) =>
    artifactId === resultArtifactId ? [] : clip(name ?? artifactId, nameCharacters),
  );
  return {
    id,
    contextId,
    state: status.state,
    message: message === null ? null : clip(message, messageCharacters),
    result: resultLeftOut ? undefined : result,
    resultLeftOut,
    artifacts:
      names.length > namesShown ? [...names.slice(0, namesShown), `… ${names.length - namesShown} more`] : names,
    pictures: lastPicture(artifacts.flatMap(({ parts }) => parts)),
  };
}

/** In the two forms in which a response holds it: as JSON, and as a text of that JSON. */
function costOf(value: unknown): number {
  const text = JSON.stringify(value);
  if (text === undefined) return 0;
  const utf8 = new TextEncoder();
  return utf8.encode(text).length + utf8.encode(JSON.stringify(text)).length;
}

const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

function lastPicture(parts: readonly Part[]): ShownPicture[] {
  const { raw, mediaType } = parts.findLast((part) => part.mediaType?.startsWith("image/")) ?? {};
  if (raw === undefined || raw.length > pictureCharacters) return [];
  if (mediaType !== "image/png" && mediaType !== "image/jpeg") return [];
  return [{ mimeType: mediaType, bytes: Uint8Array.from(atob(raw), (character) => character.charCodeAt(0)) }];
}

function wordsOf(message: Message | undefined): string | null {
  const words = message?.parts.flatMap(({ text }) => text ?? []).join("\n");
  return words === undefined || words === "" ? null : words;
}
