import { WALLPAPER } from "../screen/compose.ts";
import { rectOf } from "../screen/geometry.ts";
import type { Scroll, View } from "../screen/view.ts";
import { badge, button, column, icon, iconButton, label, list, row, space, stack, THEME } from "../screen/widgets.ts";
import { type App, type AppContext, type AppSpec, launchOf } from "./app.ts";

const WHITE = "#ffffff";

export type HomeScreen = "pixel" | "xiaomi" | "samsung" | "vivo" | "tv";

const HOME_SCREENS: Record<HomeScreen, readonly [packageName: string, activity: string, label: string]> = {
  pixel: ["com.google.android.apps.nexuslauncher", "NexusLauncherActivity", "Pixel Launcher"],
  xiaomi: ["com.miui.home", "launcher.Launcher", "System launcher"],
  samsung: ["com.sec.android.app.launcher", "activities.LauncherActivity", "One UI Home"],
  vivo: ["com.bbk.launcher2", "Launcher", "Home"],
  tv: ["com.google.android.tvlauncher", "MainActivity", "Android TV Home"],
};

/** The home screen as the maker names it; what it shows is the same everywhere. */
export function createLauncher(kind: HomeScreen): AppSpec {
  const [packageName, activity, name] = HOME_SCREENS[kind];
  const mainActivity = `${packageName}.${activity}`;
  return {
    packageName,
    label: name,
    versionName: "14",
    versionCode: 34,
    uid: 10_186,
    isSystem: true,
    isInLauncher: false,
    isHome: true,
    mainActivity,
    icon: { name: "apps", color: "#5b6bb0" },
    open: (context) => openLauncher(context, mainActivity),
  };
}

function openLauncher(context: AppContext, mainActivity: string): App {
  let isOverview = false;
  const scroll: Scroll = { offset: 0, max: 0 };

  function launch(app: AppSpec): void {
    isOverview = false;
    context.start(launchOf(app.packageName));
  }

  function home(): View {
    const date = new Date(context.now()).toLocaleDateString("en-US", {
      weekday: "short",
      month: "short",
      day: "numeric",
      timeZone: "UTC",
    });
    const apps = context.installed().filter((app) => app.isInLauncher);
    const perRow = context.isLandscape() ? 7 : 4;
    const rows = chunk(apps, perRow).map((group) =>
      row([...group.map(appIcon), ...fill(perRow - group.length)], {
        align: "start",
        className: "android.view.ViewGroup",
      }),
    );
    return column(
      [
        ...(context.isLandscape()
          ? []
          : [
              label(
                date,
                { size: 24, color: WHITE, weight: 500 },
                { id: "clock", description: date, margin: { left: 24, top: 28, bottom: 8 } },
              ),
            ]),
        space(),
        column(rows, {
          className: "com.android.launcher3.CellLayout",
          id: "workspace",
          gap: 16,
          padding: { left: 8, right: 8 },
        }),
        row(
          [
            icon("search", 22, THEME.primary),
            label("Search", { size: 16, color: THEME.onSurfaceVariant }, { weight: 1 }),
          ],
          {
            className: "android.widget.FrameLayout",
            id: "search_container_hotseat",
            description: "Search",
            isFocusable: true,
            onClick: () => context.start({ action: "android.intent.action.WEB_SEARCH" }),
            height: 56,
            gap: 12,
            padding: { left: 20, right: 16 },
            margin: { left: 20, right: 20, top: 24, bottom: 16 },
            look: { background: "rgba(255,255,255,0.92)", radius: 28 },
          },
        ),
      ],
      { id: "drag_layer", height: "fill" },
    );
  }

  /** One view, as on Android: the picture and the name below it are one text view. */
  function appIcon(app: AppSpec): View {
    return {
      className: "android.widget.TextView",
      text: app.label,
      description: app.label,
      textStyle: { size: 13, color: WHITE, weight: 500, align: "center", maxLines: 1 },
      padding: { top: 72, bottom: 6 },
      weight: 1,
      width: "fill",
      isFocusable: true,
      onClick: () => launch(app),
      onLongClick: () => context.toast(`${app.label} · version ${app.versionName}`),
      paint(painter, bounds) {
        const radius = 30 * painter.scale;
        const x = (bounds.left + bounds.right) / 2;
        const y = bounds.top + 36 * painter.scale;
        painter.circle(x, y, radius, app.icon.color);
        painter.icon(app.icon.name, rectOf(x - radius * 0.55, y - radius * 0.55, radius * 1.1, radius * 1.1), WHITE);
      },
    };
  }

  function overview(): View {
    const running = context
      .recent()
      .filter((app) => !app.isHome)
      .reverse();
    const cards = running.map((app) =>
      row(
        [
          badge(app.icon.name, app.icon.color, 44),
          label(app.label, { size: 18, weight: 500 }, { weight: 1 }),
          iconButton("close", `Dismiss ${app.label}`, () => dismiss(app)),
        ],
        {
          className: "android.widget.FrameLayout",
          id: "snapshot",
          description: app.label,
          isFocusable: true,
          onClick: () => launch(app),
          gap: 14,
          padding: { left: 18, right: 8, top: 18, bottom: 18 },
          margin: { bottom: 12 },
          look: { background: "rgba(255,255,255,0.94)", radius: 24 },
        },
      ),
    );
    const clear = () => {
      for (const app of running) context.stop(app.packageName);
      isOverview = false;
      context.changed();
    };
    return column(
      [
        label(
          running.length > 0 ? "Recent apps" : "No recent items",
          { size: 20, weight: 500, color: WHITE },
          { id: "overview_title", margin: { top: 32, bottom: 20, left: 4 } },
        ),
        list(scroll, cards, { id: "overview_panel" }),
        ...(running.length > 0
          ? [row([space(), button("Clear all", "clear_all", clear, "tonal"), space()], { margin: { top: 12 } })]
          : []),
      ],
      { id: "overview", height: "fill", padding: { left: 20, right: 20, bottom: 16 } },
    );
  }

  function dismiss(app: AppSpec): void {
    context.stop(app.packageName);
    isOverview = true;
    context.changed();
  }

  return {
    activity: () => mainActivity,
    content: () => stack([isOverview ? overview() : home()], { id: "launcher", height: "fill" }),
    onBack() {
      isOverview = false;
      return true;
    },
    onIntent(intent) {
      isOverview = intent.extras?.get("overview") === "1";
    },
    look: { gradient: WALLPAPER },
    hasDarkBars: true,
  };
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return items.flatMap((_, index) => (index % size === 0 ? [items.slice(index, index + size)] : []));
}

function fill(count: number): View[] {
  return Array.from({ length: count }, () => space());
}
