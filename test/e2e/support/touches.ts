import type { SimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";

/** Where fingers came down on a phone, in its own pixels, whichever way the touch went. */
export function touches(phone: SimulatedPhone | undefined): [x: number, y: number][] {
  return (phone?.screen.receivedInputs ?? []).flatMap(({ kind, detail }): [number, number][] => {
    const words = detail.split(" ");
    if (kind === "motion") return words[0] === "down" ? [[Number(words[2]), Number(words[3])]] : [];
    return ["tap", "swipe", "drag"].includes(kind) ? [[Number(words[0]), Number(words[1])]] : [];
  });
}
