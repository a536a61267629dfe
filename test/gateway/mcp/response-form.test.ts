import { describe, expect, it } from "vitest";
import { streamWhenSlow } from "../../../gateway/mcp/response-form.ts";
import { createManualClock, settled } from "../../support/manual-clock.ts";

function slowAnswer() {
  const clock = createManualClock();
  let give: (response: Response) => void = () => {};
  let gone = 0;
  const answer = new Promise<Response>((resolve) => {
    give = resolve;
  });
  const response = streamWhenSlow(answer, { clock, keepAliveMs: 10_000, onGone: () => gone++ });
  return { clock, give, response, gone: () => gone };
}

describe("an answer to a client that accepts both forms", () => {
  it("stays as it is when it is quick", async () => {
    const { give, response, clock } = slowAnswer();
    give(Response.json({ id: 1 }));
    expect(await (await response).json()).toEqual({ id: 1 });
    expect(clock.waiting()).toBe(0);
  });

  it("becomes a stream with a sign of life every ten seconds when it is slow", async () => {
    const { give, response, clock } = slowAnswer();
    await clock.advance(2_000);
    const stream = await response;
    expect(stream.headers.get("x-accel-buffering")).toBe("no");
    const text = stream.text();
    await clock.advance(20_000);
    give(Response.json({ id: 1 }));
    expect(await text).toBe(': ok\n\n: keepalive\n\n: keepalive\n\nevent: message\ndata: {"id":1}\n\n');
    await settled();
    expect(clock.waiting()).toBe(0);
  });

  it("is given up when the client drops its stream", async () => {
    const { give, response, clock, gone } = slowAnswer();
    await clock.advance(2_000);
    const stream = await response;
    await stream.body?.cancel();
    expect(gone()).toBe(1);
    give(Response.json({ id: 1 }));
    await clock.advance(60_000);
    expect(clock.waiting()).toBe(0);
  });
});
