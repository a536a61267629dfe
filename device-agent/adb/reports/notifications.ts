import type { PostedNotification } from "../../../shared/device.ts";

/** The commands whose answers `parseNotifications` takes, in this order. */
export const notificationCommands = ["dumpsys notification --noredact", "cmd notification list"];

/** NotificationRecord.java: a header line for each; nothing else begins like it, except what an app has written. */
const header = /^[ \t]*NotificationRecord\((0x[0-9a-f]+): pkg=([A-Za-z]\w*(?:\.\w+)*) (.*)$/m;
const ONGOING = 0x2;

/**
 * What stands in the notification shade, newest first, from Android 5 to 16. Titles and texts are what apps have
 * written, line breaks included, so an app could write a whole record: where the phone lists the keys of its
 * notifications (Android 10 and newer), only records with one of them count.
 */
export function parseNotifications([dump = "", list = ""]: string[]): PostedNotification[] {
  const keys = new Set(list.split(/\r?\n/).filter((line) => /^-?\d+\|[\w.]+\|/.test(line)));
  const records = dump.split(/^(?=[ \t]*NotificationRecord\(0x)/m).flatMap((block) => readRecord(block) ?? []);
  const real = keys.size > 0 ? records.filter(({ key }) => keys.has(key)) : records;
  // What is being posted at the moment is printed in a second list as well.
  const once = new Map(real.map((record) => [record.id, record.told]));
  return [...once.values()].sort((a, b) => (b.postedAt ?? 0) - (a.postedAt ?? 0));
}

function readRecord(block: string): { id: string; key: string; told: PostedNotification } | undefined {
  const [line = "", id = "", packageName = "", rest = ""] = header.exec(block) ?? [];
  if (line === "") return undefined;
  const extra = (name: string) => readExtra(block, name);
  const flags = /\bflags=([\w|]+)/.exec(rest)?.[1] ?? /^\s*flags=([\w|]+)/m.exec(block)?.[1] ?? "";
  const when = Number(/^\s*(?:when|mCreationTimeMs)=(\d{11,14})\b/m.exec(block)?.[1] ?? 0);
  return {
    id,
    key: /\bkey=(.+?)(?:: Notification\(|\)?$)/.exec(rest)?.[1] ?? "",
    told: {
      packageName,
      title: extra("android.title") || extra("android.title.big"),
      text: extra("android.bigText") || extra("android.text") || extra("android.summaryText"),
      postedAt: when > 0 ? when : null,
      ongoing: flags.startsWith("0x") ? (Number(flags) & ONGOING) !== 0 : flags.split("|").includes("ONGOING_EVENT"),
    },
  };
}

/** `name=String (text)`, `name=SpannableString (text)`, or on old phones `name=text`; the text may have several lines. */
function readExtra(block: string, name: string): string {
  const start = new RegExp(`^[ \\t]*${name.replaceAll(".", "\\.")}=`, "m").exec(block);
  if (!start) return "";
  const after = block.slice(start.index + start[0].length);
  const end = /\r?\n[ \t]*(?:[\w.$]+=|\})/.exec(after)?.index ?? after.length;
  const value = after.slice(0, end).trim();
  if (value === "null") return "";
  return /^[\w.$]+ \(([\s\S]*)\)$/.exec(value)?.[1] ?? value;
}
