import type { Clock } from "../../shared/clock.ts";
import type { Dial } from "../link/dial.ts";
import type { Finding } from "./finding.ts";

export interface GatewaySight {
  clock: Clock;
  dial: Dial;
  fetch: typeof fetch;
  /** The link's WebSocket address. */
  url: string;
  token: string | undefined;
}

const answerMs = 8_000;
/** The Date header has whole seconds, and a token's times are checked with some patience. */
const clockSkewMs = 30_000;

const finding = (level: Finding["level"], check: string, message: string, fix?: string): Finding => {
  return { level, subject: "gateway", check, message, ...(fix === undefined ? {} : { fix }) };
};

/** Whether the gateway answers, takes the token, and has the same time. Says no hello, so that no link is disturbed. */
export async function checkGateway(sight: GatewaySight): Promise<Finding[]> {
  const { clock, url } = sight;
  const address = url.replace(/^ws/, "http").replace(/\/link$/, "");
  const sentAt = clock.now();
  const answer = await ask(sight, `${address}/healthz`);
  if (typeof answer === "string") {
    const fix = "Check the address given with --gateway, this machine's network, and that the gateway runs.";
    return [finding("fail", "gateway", `The gateway at ${address} does not answer (${answer}).`, fix)];
  }
  if (!answer.ok) {
    const fix = "Is this the address of a Farhand gateway? Give it with --gateway, without a path behind it.";
    return [
      finding("fail", "gateway", `What answers at ${address} is no healthy gateway (HTTP ${answer.status}).`, fix),
    ];
  }
  const up = finding("ok", "gateway", `The gateway at ${address} answers.`);
  return [up, ...checkTime(answer.headers.get("date"), (sentAt + clock.now()) / 2), await checkToken(sight)];
}

async function ask(sight: GatewaySight, address: string): Promise<Response | string> {
  try {
    return await sight.fetch(address, { redirect: "manual", signal: AbortSignal.timeout(answerMs) });
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    if (cause instanceof Error && "code" in cause) return String(cause.code);
    return cause instanceof Error && cause.name === "TimeoutError"
      ? `nothing within ${answerMs / 1000} s`
      : "no connection";
  }
}

function checkTime(date: string | null, now: number): Finding[] {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return [];
  // On average half of its last second has passed.
  const aheadMs = now - (theirs + 500);
  if (Math.abs(aheadMs) <= clockSkewMs) return [finding("ok", "clock", "Its clock and this machine's agree.")];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const message = `This machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the gateway's.`;
  return [finding("warn", "clock", message, "Let both machines set their clocks by network time (NTP).")];
}

function checkToken({ clock, dial, url, token }: GatewaySight): Promise<Finding> {
  const check = "token";
  if (token === undefined) {
    const fix = "Give --token-file FILE, or FARHAND_TOKEN in the environment.";
    return Promise.resolve(finding("warn", check, "No token was given, so it was not tried.", fix));
  }
  return new Promise((resolve) => {
    let status: number | undefined;
    const end = (result: Finding) => {
      callOff();
      resolve(result);
      socket.terminate();
    };
    const failed = (why: string, fix: string) => end(finding("fail", check, why, fix));
    const unreachable = () =>
      failed(
        "The gateway takes no WebSocket.",
        "Let the proxy in front of the gateway pass WebSocket upgrades on /link.",
      );
    const callOff = clock.after(answerMs, unreachable);
    const socket = dial(
      { url, token, maxFrameBytes: 1_024 },
      {
        opened: () => end(finding("ok", check, "The gateway takes the token, and a WebSocket for the link.")),
        declined(code) {
          status = code;
        },
        message() {},
        closed() {
          if (status === 401 || status === 403) {
            failed(
              "The gateway does not take this token.",
              "Give a valid one with --token-file FILE or FARHAND_TOKEN.",
            );
          } else unreachable();
        },
      },
    );
  });
}
