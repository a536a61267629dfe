import { afterEach, describe, expect, test } from "vitest";
import { readLogLines } from "../../../device-agent/adb/reports/log-lines.ts";
import { parseNotifications } from "../../../device-agent/adb/reports/notifications.ts";
import { Rig } from "./rig.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const record = (
  id: string,
  packageName: string,
  flags: string,
  ...more: string[]
) => `    NotificationRecord(${id}: pkg=${packageName} user=UserHandle{0} id=1 tag=null importance=4 key=0|${packageName}|1|null|10234: Notification(channel=c shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=${flags} color=0x00000000 vis=PRIVATE))
      uid=10234 userId=0
      opPkg=${packageName}
${more.map((line) => `      ${line}\n`).join("")}`;
const dump = (...records: string[]) =>
  `Current Notification Manager state:\n  Notification List:\n${records.join("")}  \n  mArchive=Archive (0 notifications)\n`;

describe("notifications", () => {
  test("are told with app, title, text, time and whether they stay, the newest first", () => {
    const told = parseNotifications([
      dump(
        record(
          "0x0a",
          "com.music",
          "0x2",
          "when=1700000000000/1700000000000",
          "extras={",
          "    android.title=String (Song)",
          "    android.text=null",
          "}",
        ),
        record(
          "0x0b",
          "com.chat",
          "AUTO_CANCEL",
          "when=1700000005000/1700000005000",
          "extras={",
          "    android.title=SpannableString (Ann (work))",
          "    android.subText=null",
          "    android.text=String (Hi)",
          "}",
        ),
        record("0x0c", "com.call", "ONGOING_EVENT|NO_CLEAR", "extras={", "    android.title=Old", "}"),
      ),
    ]);
    expect(told).toEqual([
      { packageName: "com.chat", title: "Ann (work)", text: "Hi", postedAt: 1_700_000_005_000, ongoing: false },
      { packageName: "com.music", title: "Song", text: "", postedAt: 1_700_000_000_000, ongoing: true },
      { packageName: "com.call", title: "Old", text: "", postedAt: null, ongoing: true },
    ]);
  });

  test("with several lines are told whole, the long text before the short one", () => {
    const [told] = parseNotifications([
      dump(
        record(
          "0x0a",
          "com.mail",
          "0x10",
          "extras={",
          "    android.text=String (short)",
          "    android.bigText=String (one\ntwo (2)\n\nthree)",
          "    android.template=String (x)",
          "}",
        ),
      ),
    ]);
    expect(told?.text).toBe("one\ntwo (2)\n\nthree");
  });

  test("that are being posted while we look are told once", () => {
    const one = record("0x0a", "com.chat", "0x10", "extras={", "    android.title=String (A)", "}");
    expect(parseNotifications([`${dump(one)}  Enqueued Notification List:\n${one}`])).toHaveLength(1);
  });

  test("that an app has written into its own text are not taken for real where the phone lists the real ones", () => {
    const forged = record("0x0f", "com.bank", "0x10", "extras={", "    android.title=String (Transfer)", "}");
    const dumped = dump(
      record("0x0a", "com.chat", "0x10", "extras={", `    android.title=String (x`, forged, ")", "}"),
    );
    const told = parseNotifications([dumped, "0|com.chat|1|null|10234\n"]);
    expect(told.map(({ packageName }) => packageName)).toEqual(["com.chat"]);
  });

  test("of a phone that has none, or answers with nonsense, are none", () => {
    for (const text of ["", dump(), "Can't find service: notification\n", "NotificationRecord(", "\0\uffff"]) {
      expect(parseNotifications([text, text])).toEqual([]);
    }
  });

  test("of a simulated phone arrive", async () => {
    const { device, sim } = await rig.device("direct");
    sim.notify({ title: 'Ann "A"', text: "It's (done)" });
    const [told] = await device.readNotifications(never);
    expect(told).toMatchObject({
      packageName: "app.farhand.chat",
      title: 'Ann "A"',
      text: "It's (done)",
      ongoing: false,
    });
    expect(told?.postedAt).toBeGreaterThan(1_700_000_000_000);
  });
});

describe("the log", () => {
  const line = (time: string, text = "x") => `${time}  1422  1422 I Tag     : ${text}`;
  const request = { lines: 3, priority: "info" as const };

  test("is filtered on the phone, and every word is quoted", async () => {
    const phone = scriptedRunner((command) => (command.startsWith("pidof") ? "4242 4343\n" : ""));
    await readLogLines(phone, { ...request, tag: "My'Tag", priority: "error", packageName: "com.chat" }, never);
    expect(phone.asked).toEqual([
      "pidof com.chat",
      "logcat -d -v threadtime 'My'\\''Tag:E' '*:S' | grep -E '^[^ ]+ [^ ]+ +(4242|4343) ' | tail -n 8",
      "date '+%m-%d %H:%M:%S.000'",
    ]);
  });

  test("gives the newest lines and leaves headings out", async () => {
    const lines = ["--------- beginning of main", ...[1, 2, 3, 4].map((second) => line(`03-05 10:00:0${second}.000`))];
    const phone = scriptedRunner((command) => (command.startsWith("logcat") ? lines.join("\r\n") : ""));
    expect(await readLogLines(phone, request, never)).toEqual(lines.slice(2));
  });

  test("of the last seconds counts by the phone's own clock, over New Year too", async () => {
    const phone = scriptedRunner((command) =>
      command.startsWith("date")
        ? "01-01 00:00:10.000\n"
        : [line("12-31 23:59:00.000"), line("12-31 23:59:55.500"), line("01-01 00:00:09.000")].join("\n"),
    );
    const told = await readLogLines(phone, { ...request, sinceSeconds: 20 }, never);
    expect(told.map((text) => text.slice(0, 14))).toEqual(["12-31 23:59:55", "01-01 00:00:09"]);
  });

  test("of an app that does not run cannot be told apart", async () => {
    const phone = scriptedRunner(() => "");
    expect(await codeOf(readLogLines(phone, { ...request, packageName: "com.chat" }, never))).toBe("target_not_found");
  });

  test("of a simulated phone is read with all filters", async () => {
    const { device } = await rig.device("direct");
    await device.startApp("app.farhand.chat", never);
    await device.stopApp("app.farhand.chat", never);
    const all = await device.readLogs({ lines: 500, priority: "verbose" }, never);
    expect(all.length).toBeGreaterThan(0);
    expect(await device.readLogs({ lines: 1, priority: "verbose" }, never)).toHaveLength(1);
    const stops = await device.readLogs(
      { lines: 50, priority: "info", tag: "ActivityManager", sinceSeconds: 60 },
      never,
    );
    expect(stops.at(-1)).toContain("Force stopping app.farhand.chat");
    await device.startApp("app.farhand.chat", never);
    const own = await device.readLogs({ lines: 50, priority: "verbose", packageName: "app.farhand.chat" }, never);
    expect(own.every((text) => !text.includes("ActivityManager"))).toBe(true);
  });
});
