// What the soak asks of a phone: reads and writes mixed as an agent at work mixes them, by weight.
const request = { maxWidth: 540, quality: 70, maxBytes: 700_000 };

const READS = [
  ["status", 30, (device, signal) => device.status(signal)],
  ["foreground", 14, (device, signal) => device.foreground(signal)],
  ["readTree", 10, (device, signal) => device.readTree(signal)],
  ["capture", 8, (device, signal) => device.capture(request, signal)],
  ["facts", 2, (device, signal) => device.facts(signal)],
  ["listApps", 1, (device, signal) => device.listApps("all", signal)],
];
const WRITES = [
  ["tap", 40, (device, signal, next) => device.tap({ x: 20 + next(500), y: 200 + next(600) }, signal)],
  ["pressKey", 12, (device, signal, next) => device.pressKey(["home", "back", "recent"][next(3)], signal)],
  ["swipe", 8, (device, signal, next) => device.swipe({ x: 270, y: 900 }, { x: 270, y: 300 + next(200) }, 100, signal)],
  [
    "startApp",
    6,
    (device, signal, next) => device.startApp(`app.farhand.${["notes", "chat", "maps"][next(3)]}`, signal),
  ],
  ["clipboard", 2, (device, signal, next) => device.writeClipboard(`text ${next(1000)}`, signal)],
  ["typeText", 1, (device, signal) => device.typeText("ab 好", signal)],
];

/** As the device agent's queue allows: any number of readers beside one writer, who also looks. */
export const READER = READS;
export const WRITER = [...WRITES, ...READS];

/** `next(n)` is a whole number below n. */
export function chooseCall(kinds, next) {
  let left = next(kinds.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [name, weight, call] of kinds) {
    if (left < weight) return { name, run: (device, signal) => call(device, signal, next) };
    left -= weight;
  }
  throw new Error("the weights do not add up");
}
