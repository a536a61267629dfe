import type { SKRSContext2D } from "@napi-rs/canvas";
import { Path2D } from "@napi-rs/canvas";
import { heightOf, type Rect, widthOf } from "../screen/geometry.ts";
import type { TextStyle } from "../screen/view.ts";
import { fontOf } from "./fonts.ts";
import { ICONS, type IconName } from "./icons.ts";

/** What views draw with. Lengths are pixels unless the name says dp. */
export interface Painter {
  /** Pixels of one dp. */
  readonly scale: number;
  fill(rect: Rect, color: string, radius?: number): void;
  stroke(rect: Rect, color: string, width: number, radius?: number): void;
  circle(x: number, y: number, radius: number, color: string): void;
  line(points: readonly (readonly [number, number])[], color: string, width: number): void;
  polygon(points: readonly (readonly [number, number])[], color: string): void;
  gradient(rect: Rect, top: string, bottom: string, radius?: number): void;
  shadow(rect: Rect, radius: number, elevation: number): void;
  text(text: string, x: number, baseline: number, style: TextStyle): void;
  textWidth(text: string, style: TextStyle): number;
  icon(name: IconName, rect: Rect, color: string): void;
  clip(rect: Rect, draw: () => void, radius?: number): void;
}

const ICON_GRID = 24;

export function createPainter(context: SKRSContext2D, scale: number): Painter {
  function outline(rect: Rect, radius: number): void {
    context.beginPath();
    context.roundRect(
      rect.left,
      rect.top,
      widthOf(rect),
      heightOf(rect),
      Math.min(radius, widthOf(rect) / 2, heightOf(rect) / 2),
    );
  }

  function trace(points: readonly (readonly [number, number])[]): void {
    context.beginPath();
    for (const [index, [x, y]] of points.entries()) {
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }

  return {
    scale,
    fill(rect, color, radius = 0) {
      context.fillStyle = color;
      if (radius === 0) {
        context.fillRect(rect.left, rect.top, widthOf(rect), heightOf(rect));
        return;
      }
      outline(rect, radius);
      context.fill();
    },
    stroke(rect, color, width, radius = 0) {
      context.strokeStyle = color;
      context.lineWidth = width;
      outline(rect, radius);
      context.stroke();
    },
    circle(x, y, radius, color) {
      context.fillStyle = color;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    },
    line(points, color, width) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.lineCap = "round";
      context.lineJoin = "round";
      trace(points);
      context.stroke();
    },
    polygon(points, color) {
      context.fillStyle = color;
      trace(points);
      context.closePath();
      context.fill();
    },
    gradient(rect, top, bottom, radius = 0) {
      const gradient = context.createLinearGradient(0, rect.top, 0, rect.bottom);
      gradient.addColorStop(0, top);
      gradient.addColorStop(1, bottom);
      context.fillStyle = gradient;
      outline(rect, radius);
      context.fill();
    },
    shadow(rect, radius, elevation) {
      // Rings instead of a blur: a blur of a large card costs more than the rest of the picture.
      for (let ring = elevation; ring > 0; ring--) {
        const grow = ring * scale * 0.5;
        context.fillStyle = "rgba(0,0,0,0.025)";
        outline(
          {
            left: rect.left - grow,
            top: rect.top - grow / 2,
            right: rect.right + grow,
            bottom: rect.bottom + grow * 1.5,
          },
          radius + grow,
        );
        context.fill();
      }
    },
    text(text, x, baseline, style) {
      context.font = fontOf(style, scale);
      context.fillStyle = style.color ?? "#1b1b1f";
      context.textAlign = "left";
      context.fillText(text, x, baseline);
    },
    textWidth(text, style) {
      context.font = fontOf(style, scale);
      return context.measureText(text).width;
    },
    icon(name, rect, color) {
      const factor = widthOf(rect) / ICON_GRID;
      context.save();
      context.translate(rect.left, rect.top);
      context.scale(factor, factor);
      const icon = ICONS[name];
      context.strokeStyle = color;
      context.fillStyle = color;
      context.lineWidth = 2;
      context.lineCap = "round";
      context.lineJoin = "round";
      if (icon.fill) context.fill(new Path2D(icon.fill), "evenodd");
      if (icon.stroke) context.stroke(new Path2D(icon.stroke));
      context.restore();
    },
    clip(rect, draw, radius = 0) {
      context.save();
      outline(rect, radius);
      context.clip();
      draw();
      context.restore();
    },
  };
}
