import type { Painter } from "../draw/painter.ts";
import { heightOf, type Rect, rectOf, widthOf } from "../screen/geometry.ts";
import type { View } from "../screen/view.ts";
import { column, iconButton, label, row, space, stack, THEME } from "../screen/widgets.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "app.farhand.maps";
const MIN_ZOOM = 0.5;
const MAX_ZOOM = 8;

export const maps: AppSpec = {
  packageName: PACKAGE,
  label: "Maps",
  versionName: "11.3",
  versionCode: 1_103,
  uid: 10_214,
  isSystem: false,
  isInLauncher: true,
  mainActivity: `${PACKAGE}.MapActivity`,
  icon: { name: "pin", color: "#3a8f4d" },
  resolve: (intent) =>
    intent.action === "android.intent.action.VIEW" && intent.data?.startsWith("geo:")
      ? `${PACKAGE}.MapActivity`
      : undefined,
  open: openMaps,
};

interface Camera {
  x: number;
  y: number;
  zoom: number;
}

/** A map to drag and to pinch. The zoom is told as text, as map apps do with their scale. */
function openMaps(context: AppContext): App {
  const camera: Camera = { x: 0, y: 0, zoom: 1 };

  function zoomBy(factor: number): void {
    camera.zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, camera.zoom * factor));
    context.changed();
  }

  function content(): View {
    const map: View = {
      className: "android.view.TextureView",
      id: "map",
      description: "Map",
      width: "fill",
      height: "fill",
      paint: (painter, bounds) => painter.clip(bounds, () => drawMap(painter, bounds, camera)),
      onClick: () => {},
      onDoubleTap: () => zoomBy(2),
      pinch: {
        onPinch: (scale) => zoomBy(scale),
        onDrag(dx, dy) {
          camera.x -= dx / camera.zoom;
          camera.y -= dy / camera.zoom;
        },
      },
    };
    const look = { background: "#ffffff", radius: 14, elevation: 3 };
    const buttons = column(
      [
        iconButton("add", "Zoom in", () => zoomBy(2), { id: "zoom_in", look }),
        iconButton("minus", "Zoom out", () => zoomBy(0.5), { id: "zoom_out", look }),
      ],
      { width: "wrap", gap: 10 },
    );
    const scaleText = label(
      `Zoom ${Math.round(camera.zoom * 100)}%`,
      { size: 14, weight: 600, color: THEME.onSurface },
      { id: "zoom_level", padding: { left: 14, right: 14, top: 8, bottom: 8 }, look },
    );
    return stack([map, row([scaleText, space(), buttons], { padding: 16, align: "end" })], {
      height: "fill",
      justify: "end",
    });
  }

  return { activity: () => maps.mainActivity, content };
}

const STREET_DP = 90;

function drawMap(painter: Painter, bounds: Rect, camera: Camera): void {
  painter.fill(bounds, "#e9efe2");
  const step = STREET_DP * painter.scale * camera.zoom;
  const center = {
    x: bounds.left + widthOf(bounds) / 2 - camera.x * camera.zoom,
    y: bounds.top + heightOf(bounds) / 2 - camera.y * camera.zoom,
  };
  const first = (from: number, middle: number) => Math.floor((from - middle) / step);
  for (let column = first(bounds.left, center.x); center.x + column * step < bounds.right; column++)
    drawStreet(painter, rectOf(center.x + column * step, bounds.top, 0, heightOf(bounds)), column % 3 === 0);
  for (let line = first(bounds.top, center.y); center.y + line * step < bounds.bottom; line++)
    drawStreet(painter, rectOf(bounds.left, center.y + line * step, widthOf(bounds), 0), line % 3 === 0);
  const park = rectOf(center.x + step * 0.2, center.y - step * 1.8, step * 1.6, step * 1.6);
  painter.fill(park, "#bfe0b0", 12 * painter.scale);
  painter.fill(rectOf(center.x - step * 3.9, center.y + step * 0.3, step * 2.6, step * 1.4), "#aad3ef", step * 0.4);
  painter.text("Harbor Park", park.left + 12 * painter.scale, park.top + 26 * painter.scale, {
    size: 14,
    weight: 600,
    color: "#3c6b35",
  });
  const pin = 34 * painter.scale;
  painter.icon("pin", rectOf(center.x - pin / 2, center.y - pin, pin, pin), "#c5362c");
}

function drawStreet(painter: Painter, line: Rect, isMain: boolean): void {
  const width = (isMain ? 12 : 6) * painter.scale;
  painter.line(
    [
      [line.left, line.top],
      [line.right, line.bottom],
    ],
    isMain ? "#f7d58a" : "#ffffff",
    width,
  );
}
