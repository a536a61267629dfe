import type { Picture } from "../../shared/device.ts";
import type { ErrorBody } from "../../shared/errors.ts";
import type { LinkConnection } from "../link/open-link.ts";

export type AnswerPicture = Pick<Picture, "mimeType" | "width" | "height" | "bytes">;

/** How a call ended, as it is sent and kept. */
export type Answer =
  | { ok: true; output: Record<string, unknown>; pictures: AnswerPicture[] }
  | { ok: false; error: ErrorBody };

/** Resolves when the answer left for the socket, or its link is gone. */
export function sendAnswer(connection: LinkConnection, id: string, answer: Answer): Promise<void> {
  if (!answer.ok) return connection.send({ type: "error", id, error: answer.error });
  const pictures = answer.pictures.map(({ mimeType, width, height, bytes }) => {
    return { mimeType, width, height, bytes: bytes.length };
  });
  return connection.send(
    { type: "result", id, output: answer.output, pictures },
    answer.pictures.map((picture) => picture.bytes),
  );
}
