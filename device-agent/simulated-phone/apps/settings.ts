import type { IconName } from "../draw/icons.ts";
import type { SettingsNamespace } from "../phone/settings-store.ts";
import type { Scroll, View } from "../screen/view.ts";
import { appBar, badge, column, label, list, row, switchView, THEME } from "../screen/widgets.ts";
import type { App, AppContext, AppSpec, Intent } from "./app.ts";

const PACKAGE = "com.android.settings";

interface Entry {
  readonly title: string;
  readonly summary?: string;
  readonly icon: IconName;
  readonly color: string;
  /** A switch for this setting; otherwise the entry opens a page. */
  readonly setting?: readonly [SettingsNamespace, string];
}
interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const BLUE = "#3b6fd4";
const GREEN = "#2f8f5b";
const ORANGE = "#c9752c";
const PURPLE = "#7a53b8";
const GREY = "#63676f";

const toggle = (
  title: string,
  icon: IconName,
  color: string,
  namespace: SettingsNamespace,
  key: string,
  summary?: string,
): Entry => ({
  title,
  icon,
  color,
  setting: [namespace, key],
  ...(summary !== undefined && { summary }),
});
const page = (title: string, icon: IconName, color: string, summary?: string): Entry => ({
  title,
  icon,
  color,
  ...(summary !== undefined && { summary }),
});

const SECTIONS: readonly Section[] = [
  {
    title: "Network & internet",
    entries: [
      toggle("Wi-Fi", "wifi", BLUE, "global", "wifi_on", "Farhand Guest"),
      toggle("Mobile data", "signal", BLUE, "global", "mobile_data"),
      toggle("Airplane mode", "plane", BLUE, "global", "airplane_mode_on"),
      page("Hotspot & tethering", "share", BLUE, "Off"),
      page("Data Saver", "storage", BLUE, "Off"),
      page("VPN", "shield", BLUE, "None"),
    ],
  },
  {
    title: "Connected devices",
    entries: [
      toggle("Bluetooth", "bluetooth", GREEN, "global", "bluetooth_on"),
      page("Cast", "share", GREEN),
      page("Printing", "note", GREEN),
      page("Nearby Share", "share", GREEN),
    ],
  },
  {
    title: "Apps & notifications",
    entries: [
      page("Apps", "apps", ORANGE, "Assistant, recent apps, default apps"),
      page("Notifications", "bell", ORANGE, "Notification history, conversations"),
      toggle("Do Not Disturb", "bell", ORANGE, "global", "zen_mode"),
    ],
  },
  {
    title: "Display & sound",
    entries: [
      toggle("Dark theme", "sun", PURPLE, "secure", "dark_theme"),
      toggle("Adaptive brightness", "sun", PURPLE, "system", "screen_brightness_mode"),
      toggle("Auto-rotate screen", "rotate", PURPLE, "system", "accelerometer_rotation"),
      page("Display size and text", "search", PURPLE),
      page("Wallpaper & style", "image", PURPLE, "Colors, themed icons"),
      toggle("Touch sounds", "volume", PURPLE, "system", "sound_effects_enabled"),
      toggle("Touch vibration", "volume", PURPLE, "system", "haptic_feedback_enabled"),
      page("Volume", "volume", PURPLE, "Media, calls, alarms"),
      page("Screen saver", "image", PURPLE, "Off"),
    ],
  },
  {
    title: "Device",
    entries: [
      page("Battery", "battery", GREEN, "87% - about 1 day left"),
      toggle("Battery Saver", "battery", GREEN, "global", "low_power"),
      page("Storage", "storage", GREEN, "42% used - 74 GB free"),
      toggle("Stay awake while charging", "sun", GREEN, "global", "stay_on_while_plugged_in"),
      page("Torch", "torch", GREEN),
    ],
  },
  {
    title: "Security & privacy",
    entries: [
      page("Screen lock", "lock", BLUE),
      page("Privacy", "shield", BLUE, "Permissions, account activity"),
      toggle("Location", "pin", BLUE, "secure", "location_mode"),
      page("Safety & emergency", "info", BLUE, "Emergency SOS, medical info"),
      page("Passwords & accounts", "person", BLUE),
    ],
  },
  {
    title: "System",
    entries: [
      page("Languages & input", "globe", GREY, "English, 中文, 日本語, 한국어"),
      page("Date & time", "calendar", GREY),
      toggle("Automatic time", "calendar", GREY, "global", "auto_time"),
      page("Backup", "storage", GREY),
      page("Accessibility", "accessibility", GREY, "Screen readers, display, interaction controls"),
      page("System update", "info", GREY, "Up to date"),
      toggle("Developer options", "gear", GREY, "global", "development_settings_enabled"),
      page("Gestures", "edit", GREY),
      page("About phone", "info", GREY),
    ],
  },
];

export const settingsApp: AppSpec = {
  packageName: PACKAGE,
  label: "Settings",
  versionName: "14",
  versionCode: 34,
  uid: 1000,
  isSystem: true,
  isInLauncher: true,
  mainActivity: `${PACKAGE}.Settings`,
  otherActivities: [`${PACKAGE}.SubSettings`, `${PACKAGE}.Settings$WifiSettingsActivity`],
  icon: { name: "gear", color: "#5f6368" },
  resolve: (intent) => (intent.action?.startsWith("android.settings.") ? `${PACKAGE}.Settings` : undefined),
  open: openSettings,
};

function openSettings(context: AppContext): App {
  const scroll: Scroll = { offset: 0, max: 0 };
  let opened: Entry | undefined;

  const isOn = ([namespace, key]: readonly [SettingsNamespace, string]) =>
    !["0", undefined].includes(context.settings.get(namespace, key));

  function open(entry: Entry): void {
    if (entry.setting) context.settings.put(entry.setting[0], entry.setting[1], isOn(entry.setting) ? "0" : "1");
    else opened = entry;
    context.changed();
  }

  function entryView(entry: Entry): View {
    const texts = [label(entry.title, { size: 17 }, { id: "android:id/title" })];
    if (entry.summary)
      texts.push(
        label(entry.summary, { size: 14, color: THEME.onSurfaceVariant, maxLines: 2 }, { id: "android:id/summary" }),
      );
    return row(
      [
        badge(entry.icon, entry.color, 40, { id: "android:id/icon" }),
        column(texts, { className: "android.widget.RelativeLayout", weight: 1, gap: 2 }),
        ...(entry.setting ? [switchView("android:id/switch_widget", isOn(entry.setting))] : []),
      ],
      { gap: 18, padding: { left: 20, right: 20, top: 14, bottom: 14 }, isFocusable: true, onClick: () => open(entry) },
    );
  }

  const sectionTitle = (title: string) =>
    label(
      title,
      { size: 14, weight: 600, color: THEME.primary },
      { id: "android:id/title", width: "fill", padding: { left: 20, right: 20, top: 20, bottom: 6 } },
    );

  function mainPage(): View {
    const rows = SECTIONS.flatMap((section) => [sectionTitle(section.title), ...section.entries.map(entryView)]);
    return column([appBar("Settings"), list(scroll, rows, { id: "recycler_view" })], { height: "fill" });
  }

  function detailPage(entry: Entry): View {
    const facts: [string, string][] =
      entry.title === "About phone"
        ? [
            ["Model", context.device.model],
            ["Android version", context.device.androidRelease],
            ["Build number", "UP1A.231005.007"],
            ["Uptime", "2 days, 4 hours"],
          ]
        : [[entry.title, entry.summary ?? "On"]];
    const fact = ([title, value]: [string, string]) =>
      column(
        [
          label(title, { size: 17 }, { id: "android:id/title" }),
          label(value, { size: 14, color: THEME.onSurfaceVariant }, { id: "android:id/summary" }),
        ],
        { padding: { left: 20, right: 20, top: 14, bottom: 14 }, gap: 2 },
      );
    const back = () => {
      opened = undefined;
      context.changed();
    };
    return column([appBar(entry.title, { onBack: back }), ...facts.map(fact)], { height: "fill" });
  }

  return {
    activity: () => (opened ? `${PACKAGE}.SubSettings` : `${PACKAGE}.Settings`),
    content: () => (opened ? detailPage(opened) : mainPage()),
    onBack() {
      const wasOpened = opened !== undefined;
      opened = undefined;
      return wasOpened;
    },
    onIntent(intent) {
      opened = entryFor(intent);
    },
  };
}

const PAGES: Record<string, string> = {
  "android.settings.DEVICE_INFO_SETTINGS": "About phone",
  "android.settings.DATE_SETTINGS": "Date & time",
  "android.settings.APPLICATION_SETTINGS": "Apps",
  "android.settings.ACCESSIBILITY_SETTINGS": "Accessibility",
};

function entryFor(intent: Intent): Entry | undefined {
  const title = PAGES[intent.action ?? ""];
  return SECTIONS.flatMap((section) => section.entries).find((entry) => entry.title === title);
}
