import { fileReportSchema } from "../../shared/link/file-streams.ts";
import type { Part } from "../../shared/tasks/message.ts";
import type { TaskEvent } from "../../shared/tasks/task-event.ts";
import type { Files } from "../files/files.ts";
import type { TaskRecord } from "./task-store.ts";

/** Under which a part tells what the device agent knows of the file that it stands for. */
const reportKey = "file";

/**
 * What is too large for a Task's document stays with the device agent; a part `/files/<id>` stands for it. The file is
 * listed as the Task's owner's, so that it can be fetched there with a token; the event is stored without the report.
 */
export async function listKeptFiles(
  files: Pick<Files, "register">,
  task: TaskRecord,
  event: TaskEvent,
): Promise<TaskEvent> {
  if (event.kind !== "artifact") return event;
  const { tenant, subject, deviceAgentId, deviceId } = task;
  const parts: Part[] = [];
  for (const part of event.artifact.parts) {
    const report = fileReportSchema.safeParse(part.metadata?.[reportKey]);
    if (report.success) await files.register(report.data, { tenant, subject, deviceAgentId, deviceId });
    parts.push(report.success ? withoutReport(part) : part);
  }
  return { ...event, artifact: { ...event.artifact, parts } };
}

/** The address of a kept file as clients can use it. */
export function fileUrlOf(part: Part, publicUrl: string): Part {
  return part.url?.startsWith("/files/") ? { ...part, url: `${publicUrl}${part.url}` } : part;
}

function withoutReport({ metadata, ...part }: Part): Part {
  const { [reportKey]: _, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? part : { ...part, metadata: others };
}
