import type { Picture } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Part } from "../../shared/tasks/message.ts";
import type { TaskWork } from "./task-executor.ts";

/** Of all pictures together in the Task's document; further ones are kept beside it. */
const inlineBytes = limits.taskDocumentBytes / 2;

/** Tells the pictures that a Task's tools gave, each as an Artifact of its own. */
export interface TaskPictures {
  /** `title` is for people. */
  show(pictures: readonly Picture[], title: string): Promise<void>;
  /** How many there was no room for. */
  leftOut(): number;
}

export function createTaskPictures(work: Pick<TaskWork, "emit" | "keep">): TaskPictures {
  let number = 0;
  let inline = 0;
  let leftOut = 0;

  const partOf = async ({ bytes, mimeType }: Picture, filename: string): Promise<Part> => {
    const cost = Math.ceil(bytes.length / 3) * 4;
    if (bytes.length > limits.inlineArtifactBytes || inline + cost > inlineBytes) {
      return work.keep(bytes, { name: filename, mediaType: mimeType });
    }
    inline += cost;
    return { raw: Buffer.from(bytes).toString("base64"), filename, mediaType: mimeType };
  };

  return {
    async show(pictures, title) {
      for (const picture of pictures) {
        number += 1;
        const artifactId = `picture-${number}`;
        try {
          const part = await partOf(picture, `${artifactId}.${picture.mimeType === "image/png" ? "png" : "jpg"}`);
          work.emit({ artifactId, name: title, parts: [part] });
        } catch (thrown) {
          if (!(thrown instanceof CodedError) || thrown.code !== "too_large") throw thrown;
          leftOut += 1;
        }
      }
    },
    leftOut: () => leftOut,
  };
}
