import type { IconName } from "../draw/icons.ts";
import type { SettingsNamespace, SettingsStore } from "../phone/settings-store.ts";
import type { Scroll, View } from "./view.ts";
import { badge, button, column, icon, label, list, row, space, THEME } from "./widgets.ts";

export interface Notification {
  readonly packageName: string;
  readonly appLabel: string;
  readonly title: string;
  readonly text: string;
  readonly postedAt: number;
  readonly icon: { readonly name: IconName; readonly color: string };
}

/** The notification shade with its quick-settings tiles. */
export interface Shade {
  expansion(): "closed" | "notifications" | "settings";
  expand(kind: "notifications" | "settings"): void;
  collapse(): boolean;
  notifications(): readonly Notification[];
  post(notification: Notification): void;
  view(time: string, date: string): View;
}

interface Tile {
  readonly label: string;
  readonly icon: IconName;
  readonly setting: readonly [SettingsNamespace, string];
}

const ID = "com.android.systemui:id";
const TILES: readonly Tile[] = [
  { label: "Internet", icon: "wifi", setting: ["global", "wifi_on"] },
  { label: "Bluetooth", icon: "bluetooth", setting: ["global", "bluetooth_on"] },
  { label: "Airplane mode", icon: "plane", setting: ["global", "airplane_mode_on"] },
  { label: "Auto-rotate", icon: "rotate", setting: ["system", "accelerometer_rotation"] },
];

export function createShade(
  settings: SettingsStore,
  open: (notification: Notification) => void,
  onChange: () => void,
): Shade {
  let expansion: "closed" | "notifications" | "settings" = "closed";
  let posted: readonly Notification[] = [];
  const scroll: Scroll = { offset: 0, max: 0 };

  function collapse(): boolean {
    const wasOpen = expansion !== "closed";
    expansion = "closed";
    if (wasOpen) onChange();
    return wasOpen;
  }

  function tile({ label: text, icon: name, setting: [namespace, key] }: Tile): View {
    const isOn = settings.isOn(namespace, key);
    const color = isOn ? THEME.onPrimaryContainer : "#e3e2e9";
    return row([icon(name, 22, color), label(text, { size: 14, weight: 500, color, maxLines: 1 }, { weight: 1 })], {
      className: "android.widget.Switch",
      description: text,
      isCheckable: true,
      isChecked: isOn,
      isFocusable: true,
      weight: 1,
      height: 64,
      gap: 10,
      padding: { left: 18, right: 12 },
      look: { background: isOn ? "#b4c5ff" : "#35363c", radius: 32 },
      onClick: () => settings.put(namespace, key, isOn ? "0" : "1"),
    });
  }

  function card(notification: Notification): View {
    const line = (text: string, size: number, extra: Partial<View> = {}) =>
      label(text, { size, color: "#e3e2e9", maxLines: 2 }, extra);
    return row(
      [
        badge(notification.icon.name, notification.icon.color, 38),
        column(
          [
            line(notification.appLabel, 12),
            line(notification.title, 15, { id: "android:id/title" }),
            line(notification.text, 14, { id: "android:id/text" }),
          ],
          { weight: 1, gap: 2 },
        ),
      ],
      {
        className: "android.widget.FrameLayout",
        id: `${ID}/expandableNotificationRow`,
        padding: 16,
        gap: 14,
        margin: { top: 8 },
        look: { background: "#35363c", radius: 24 },
        isFocusable: true,
        onClick() {
          posted = posted.filter((other) => other !== notification);
          collapse();
          open(notification);
        },
      },
    );
  }

  const clearAll = (): View =>
    row(
      [
        space(),
        button(
          "Clear all",
          `${ID}/dismiss_text`,
          () => {
            posted = [];
            collapse();
          },
          "text",
          { textStyle: { size: 14, color: "#b4c5ff", align: "center" } },
        ),
      ],
      { margin: { top: 8 } },
    );

  return {
    expansion: () => expansion,
    expand(kind) {
      expansion = kind;
      onChange();
    },
    collapse,
    notifications: () => posted,
    post(notification) {
      posted = [notification, ...posted];
      onChange();
    },
    view(time, date) {
      const tiles = expansion === "settings" ? TILES : TILES.slice(0, 2);
      const pairs = tiles.flatMap((_, index) => (index % 2 === 0 ? [tiles.slice(index, index + 2)] : []));
      const empty = label(
        "No notifications",
        { size: 15, color: "#c6c6d0", align: "center" },
        { id: `${ID}/no_notifications`, width: "fill", margin: { top: 40 } },
      );
      return column(
        [
          row(
            [
              label(time, { size: 26, color: "#ffffff" }, { id: `${ID}/clock` }),
              label(date, { size: 15, color: "#e3e2e9" }, { id: `${ID}/date` }),
            ],
            { gap: 14, padding: { left: 8, bottom: 12 } },
          ),
          column(
            pairs.map((pair) => row(pair.map(tile), { gap: 8 })),
            { id: `${ID}/quick_settings_panel`, gap: 8 },
          ),
          list(scroll, posted.length > 0 ? [...posted.map(card), clearAll()] : [empty], {
            id: `${ID}/notification_stack_scroller`,
            margin: { top: 8 },
          }),
        ],
        {
          id: `${ID}/notification_panel`,
          height: "fill",
          padding: { top: 44, left: 16, right: 16, bottom: 56 },
          look: { background: "#1d1e24" },
        },
      );
    },
  };
}
