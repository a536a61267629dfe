import type { SimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";

/** Where fingers came down on the phone, in its own pixels, by whatever way the touches went. */
export function touches(sim: SimulatedPhone): (readonly [number, number])[] {
  return sim.screen.receivedInputs.flatMap(({ kind, detail }) => {
    const words = detail.split(" ");
    if (kind === "motion" && words[0] === "down") return [[Number(words[2]), Number(words[3])] as const];
    if (kind === "tap" || kind === "swipe" || kind === "drag") return [[Number(words[0]), Number(words[1])] as const];
    return [];
  });
}

/** How often a program ran on the phone, with its first words. */
export function runsOf(sim: SimulatedPhone, ...words: string[]): (readonly string[])[] {
  return sim.ranPrograms().filter((argv) => words.every((word, index) => argv[index] === word));
}
