import type { TaskExecutor, TaskWork } from "../../../../device-agent/tasks/task-executor.ts";
import type { Artifact, Part } from "../../../../shared/tasks/message.ts";

/** What a Task of the suite does, by the words that began it. */
const habits: Record<string, (work: TaskWork, until: (name: string) => Promise<void>) => Promise<void> | void> = {
  complete: () => {},
  text: (work) => work.emit(artifact("text", [{ text: "Generated text content" }])),
  file: (work) => work.emit(artifact("file", [{ raw: "aGVsbG8=", filename: "hello.txt", mediaType: "text/plain" }])),
  "file by reference": async (work) => {
    const part = await work.keep(new TextEncoder().encode("kept"), { name: "kept.txt", mediaType: "text/plain" });
    work.emit(artifact("kept", [part]));
  },
  data: (work) => work.emit(artifact("result", [{ data: { answer: 42, nested: { list: [1, "two", null] } } }])),
  chunks: (work) => {
    for (const [index, text] of ["one ", "two ", "three"].entries()) {
      work.emit(artifact("chunks", [{ text }]), { append: index > 0, lastChunk: index === 2 });
    }
  },
  input: async (work) => {
    const answer = await work.ask("TASK_STATE_INPUT_REQUIRED", "Which one?");
    work.emit(artifact("answer", [{ text: `You said: ${answer.parts[0]?.text}` }]));
  },
  auth: async (work) => {
    const answer = await work.ask("TASK_STATE_AUTH_REQUIRED", "The owner has to unlock the phone.");
    work.emit(artifact("answer", [{ text: `Then: ${answer.parts[0]?.text}` }]));
  },
  slow: async (work, until) => {
    work.say("at work");
    await until("go");
    work.say("nearly there");
  },
};

const artifact = (artifactId: string, parts: Part[]): Artifact => ({ artifactId, name: artifactId, parts });

/** Stands for a model: knows a few words and does just what they say. */
export interface Talker extends TaskExecutor {
  /** Lets every slow Task that waits, or comes to wait, go on. */
  go(): void;
}

export function createTalker(): Talker {
  let isOpen = false;
  const waiting = new Set<() => void>();
  return {
    go() {
      isOpen = true;
      for (const wake of [...waiting]) wake();
    },
    check: () => {},
    async run(work) {
      const words = work.message.parts.map(({ text }) => text ?? "").join(" ");
      const habit = habits[words];
      if (words === "fail" || !habit) return { state: "TASK_STATE_FAILED", text: `I cannot do that: ${words}` };
      const until = () =>
        new Promise<void>((resolve, reject) => {
          if (isOpen) return resolve();
          waiting.add(resolve);
          work.signal.addEventListener("abort", () => reject(work.signal.reason), { once: true });
        });
      await habit(work, until);
      return { state: "TASK_STATE_COMPLETED", text: "Done." };
    },
  };
}
