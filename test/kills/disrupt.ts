import type { KillableHouse } from "./killable-house.ts";
import type { Disruption } from "./plan.ts";

const momentMs = 2_000;

/**
 * Breaks one thing after the other and mends it again, without looking whether it works. `seen` counts the events that
 * clients saw.
 */
export async function disrupt(
  house: KillableHouse,
  disruptions: readonly Disruption[],
  seen: () => number,
): Promise<void> {
  for (const { kind, afterMs, afterEvents, awayMs } of disruptions) {
    await pause(afterMs);
    const [enough, end] = [seen() + afterEvents, Date.now() + momentMs];
    while (seen() < enough && Date.now() < end) await pause(1);
    if (kind === "cut") {
      house.link.cut();
      await pause(awayMs);
      house.link.restore();
      continue;
    }
    const killed = victims(house, kind);
    await Promise.all(killed.map((process) => process.kill()));
    await pause(awayMs);
    for (const process of killed) process.start();
  }
}

function victims({ gateway, deviceAgent }: KillableHouse, kind: Exclude<Disruption["kind"], "cut">) {
  if (kind === "both") return [gateway, deviceAgent];
  return kind === "gateway" ? [gateway] : [deviceAgent];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
