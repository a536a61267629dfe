import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import type { TextBox } from "../../shared/device.ts";
import type { Pixels } from "../pictures/pixels.ts";
import { ReaderFailure } from "./reader-failure.ts";
import type { FromReader, ToReader } from "./reader-messages.ts";

/** Of what the process wrote before it ended. */
const keptChars = 2_000;

interface Asked {
  id: number;
  resolve: (texts: TextBox[]) => void;
  reject: (failure: ReaderFailure) => void;
}

/** One process that has the models in memory. It ends with us, and keeps nobody alive. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  #asked: Asked | undefined;
  #nextId = 0;
  #unusable: string | undefined;
  #said = "";
  hasEnded = false;

  constructor(program: string, ocrDir: string) {
    this.#child = fork(program, [ocrDir], {
      // Nothing of ours: no token, no options of this process.
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.unref();
    this.#child.channel?.unref();
    const { stderr } = this.#child;
    if (stderr instanceof Socket) stderr.unref();
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-keptChars);
    });
    this.#child.on("message", (message: FromReader) => this.#hear(message));
    this.#child.once("error", (error) => this.#ended(error.message));
    this.#child.once("exit", (code, signal) => this.#ended(`it ended with ${signal ?? code}. ${this.#said}`));
  }

  /** Reads one picture; the next only when this one was answered. Rejects with a ReaderFailure. */
  read(image: Pixels): Promise<TextBox[]> {
    const id = this.#nextId++;
    const { size, channels, data } = image;
    return new Promise((resolve, reject) => {
      this.#asked = { id, resolve, reject };
      this.#send({ type: "read", id, image: { size, channels, data } });
    });
  }

  /** The picture that is being read is answered soon, somehow. */
  cancel(): void {
    if (this.#asked) this.#send({ type: "cancel", id: this.#asked.id });
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: ToReader): void {
    // A failure also ends the process, which is where it is told.
    this.#child.send(message, () => {});
  }

  #hear(message: FromReader): void {
    if (message.type === "unusable") {
      this.#unusable = message.reason;
      return;
    }
    if (message.id !== this.#asked?.id) return;
    const { resolve, reject } = this.#asked;
    this.#asked = undefined;
    if (message.type === "texts") resolve(message.texts);
    else reject(new ReaderFailure("failed", message.reason));
  }

  #ended(how: string): void {
    this.hasEnded = true;
    const unusable = this.#unusable;
    this.#asked?.reject(
      unusable === undefined ? new ReaderFailure("ended", how) : new ReaderFailure("unusable", unusable),
    );
    this.#asked = undefined;
  }
}
