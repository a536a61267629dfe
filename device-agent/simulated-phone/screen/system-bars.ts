import type { IconName } from "../draw/icons.ts";
import { centerOf, rectOf } from "./geometry.ts";
import type { View } from "./view.ts";
import { icon, label, row, space } from "./widgets.ts";

const ID = "com.android.systemui:id";

export interface StatusBarState {
  readonly time: string;
  readonly batteryPercent: number;
  readonly isAirplane: boolean;
  readonly hasWifi: boolean;
  readonly color: string;
}

export function statusBarView(state: StatusBarState): View {
  const signs: IconName[] = state.isAirplane ? ["plane"] : [...(state.hasWifi ? (["wifi"] as const) : []), "signal"];
  return row(
    [
      label(state.time, { size: 14, weight: 600, color: state.color }, { id: `${ID}/clock`, description: state.time }),
      space(),
      ...signs.map((name) =>
        icon(name, 16, state.color, {
          description:
            { wifi: "Wi-Fi three bars.", signal: "Phone four bars.", plane: "Airplane mode." }[name as string] ?? name,
        }),
      ),
      icon("battery", 16, state.color, {
        id: `${ID}/battery`,
        description: `Battery ${state.batteryPercent} percent.`,
      }),
      label(
        `${state.batteryPercent}%`,
        { size: 13, weight: 500, color: state.color },
        { id: `${ID}/battery_percentage_view` },
      ),
    ],
    {
      className: "android.widget.FrameLayout",
      id: `${ID}/status_bar`,
      height: "fill",
      padding: { left: 20, right: 18 },
      gap: 5,
    },
  );
}

export interface NavigationActions {
  back(): void;
  home(): void;
  recents(): void;
}

/** Three buttons; along the side in landscape. */
export function navigationBarView(
  actions: NavigationActions,
  isVertical: boolean,
  color: string,
  background: string | undefined,
): View {
  const size = 20;
  const button = (name: string, description: string, onClick: () => void, draw: NonNullable<View["paint"]>): View => ({
    className: "android.widget.ImageView",
    id: `${ID}/${name}`,
    description,
    width: "fill",
    height: "fill",
    weight: 1,
    onClick,
    paint: draw,
  });
  const buttons = [
    button("back", "Back", actions.back, (painter, bounds) => {
      const { x, y } = centerOf(bounds);
      const half = (size / 2) * painter.scale;
      painter.polygon(
        [
          [x - half, y],
          [x + half * 0.7, y - half],
          [x + half * 0.7, y + half],
        ],
        color,
      );
    }),
    button("home_button", "Home", actions.home, (painter, bounds) => {
      const { x, y } = centerOf(bounds);
      painter.circle(x, y, (size / 2) * painter.scale, color);
    }),
    button("recent_apps", "Overview", actions.recents, (painter, bounds) => {
      const { x, y } = centerOf(bounds);
      const side = size * 0.85 * painter.scale;
      painter.fill(rectOf(x - side / 2, y - side / 2, side, side), color, 3 * painter.scale);
    }),
  ];
  return {
    className: "android.widget.FrameLayout",
    id: `${ID}/navigation_bar_view`,
    direction: isVertical ? "column" : "row",
    width: "fill",
    height: "fill",
    padding: isVertical ? { top: 30, bottom: 30 } : { left: 30, right: 30 },
    ...(background && { look: { background } }),
    children: isVertical ? buttons.reverse() : buttons,
  };
}

export function toastView(text: string): View {
  return label(
    text,
    { size: 14, color: "#ffffff" },
    {
      id: "android:id/message",
      padding: { left: 20, right: 20, top: 12, bottom: 12 },
      look: { background: "rgba(40,41,48,0.94)", radius: 24 },
    },
  );
}
