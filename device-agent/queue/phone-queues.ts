import { CodedError } from "../../shared/errors.ts";
import type { Effect } from "../../shared/tools/define-tool.ts";

/** A guess at how soon a place is free: about one write. */
const retryAfterMs = 1_000;

/**
 * Who may use a phone when: on each phone writes run one at a time in the order of arrival, reads run beside them.
 * Phones never wait for each other.
 */
export interface PhoneQueues {
  /**
   * Runs `work` when it is its turn. Throws `device_busy` at once when the phone's queue is full, and the signal's
   * reason when it aborts before the turn came; `work` is then never run.
   */
  run<T>(phone: string, effect: Effect, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Queue {
  /** Waiting and running, reads included. */
  size: number;
  writing: boolean;
  waiting: Set<() => void>;
}

export function createPhoneQueues(options: { perDevice: number }): PhoneQueues {
  const queues = new Map<string, Queue>();

  const enter = (phone: string): Queue => {
    const queue = queues.get(phone) ?? { size: 0, writing: false, waiting: new Set() };
    if (queue.size >= options.perDevice) {
      throw new CodedError("device_busy", `This phone already has ${options.perDevice} calls to work on.`, {
        retryAfterMs,
      });
    }
    queue.size += 1;
    queues.set(phone, queue);
    return queue;
  };
  const leave = (phone: string, queue: Queue) => {
    queue.size -= 1;
    if (queue.size === 0) queues.delete(phone);
  };

  return {
    async run(phone, effect, signal, work) {
      const queue = enter(phone);
      try {
        if (effect === "read") return await work();
        await turn(queue, signal);
        try {
          return await work();
        } finally {
          passOn(queue);
        }
      } finally {
        leave(phone, queue);
      }
    },
  };
}

/** Resolves as the phone's only writer; passOn gives that up. */
function turn(queue: Queue, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  if (!queue.writing) {
    queue.writing = true;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const proceed = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      queue.waiting.delete(proceed);
      reject(signal.reason);
    };
    queue.waiting.add(proceed);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

function passOn(queue: Queue): void {
  const [next] = queue.waiting;
  if (!next) {
    queue.writing = false;
    return;
  }
  queue.waiting.delete(next);
  next();
}
