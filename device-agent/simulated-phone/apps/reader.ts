import type { Painter } from "../draw/painter.ts";
import type { Rect } from "../screen/geometry.ts";
import { heightOf, rectOf, widthOf } from "../screen/geometry.ts";
import type { TextStyle, View } from "../screen/view.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "app.farhand.reader";

interface Page {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

const PAGES: readonly Page[] = [
  {
    title: "The Lighthouse Keeper",
    paragraphs: [
      "On the north side of the bay stood a lighthouse that nobody had visited for eleven years.",
      "Every evening at six the lamp was lit, and every morning at seven it went out again.",
      "灯塔的看守人从不离开海岸。",
      "Gate code: 4827",
    ],
  },
  {
    title: "Chapter Two",
    paragraphs: [
      "The supply boat came on the first Monday of the month.",
      "It brought bread, oil, letters and once a small grey cat.",
      "船长说：明天会有暴风雨。",
      "The cat stayed.",
    ],
  },
  {
    title: "Chapter Three",
    paragraphs: ["When the storm was over the harbour was full of driftwood.", "They built a new pier from it. 終わり"],
  },
];

export const reader: AppSpec = {
  packageName: PACKAGE,
  label: "Reader",
  versionName: "1.8",
  versionCode: 18,
  uid: 10_213,
  isSystem: false,
  isInLauncher: true,
  mainActivity: `${PACKAGE}.PageActivity`,
  icon: { name: "book", color: "#8a4f2d" },
  open: openReader,
};

const MARGIN_DP = 32;
const INK = "#2f2419";

/** A scanned book: the page is a picture in one view, so its words are pixels only. Tapping the right half turns it. */
function openReader(context: AppContext): App {
  let index = 0;

  function turn(step: number): void {
    index = Math.min(PAGES.length - 1, Math.max(0, index + step));
    context.changed();
  }

  function content(): View {
    return {
      className: "android.view.SurfaceView",
      id: "page",
      width: "fill",
      height: "fill",
      isOpaque: true,
      isFocusable: true,
      direction: "row",
      paint: (painter, bounds) => drawPage(painter, bounds, index),
      children: [-1, 1].map((step) => ({
        className: "android.view.View",
        weight: 1,
        width: "fill",
        height: "fill",
        onClick: () => turn(step),
      })),
    };
  }

  return { activity: () => reader.mainActivity, content, look: { background: "#f6ecd9" } };
}

function drawPage(painter: Painter, bounds: Rect, index: number): void {
  const page = PAGES[index];
  if (!page) return;
  const margin = MARGIN_DP * painter.scale;
  const area = {
    left: bounds.left + margin,
    top: bounds.top + margin,
    right: bounds.right - margin,
    bottom: bounds.bottom - margin,
  };
  painter.fill(bounds, "#f6ecd9");
  let top = drawParagraph(painter, page.title, area, area.top, { size: 26, weight: 700, color: INK });
  painter.fill(rectOf(area.left, top, widthOf(area) * 0.25, 2 * painter.scale), "#b99a6b");
  top += 18 * painter.scale;
  for (const paragraph of page.paragraphs)
    top = drawParagraph(painter, paragraph, area, top, { size: 19, color: INK }) + 12 * painter.scale;
  const footer = `${index + 1} / ${PAGES.length}`;
  painter.text(
    footer,
    bounds.left + (widthOf(bounds) - painter.textWidth(footer, FOOTER)) / 2,
    bounds.top + heightOf(bounds) - margin * 0.6,
    FOOTER,
  );
}

const FOOTER: TextStyle = { size: 14, color: "#8d7a5c" };

function drawParagraph(painter: Painter, text: string, area: Rect, top: number, style: TextStyle): number {
  const lineHeight = style.size * 1.5 * painter.scale;
  let line = "";
  let baseline = top + lineHeight * 0.8;
  for (const word of text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*/g) ?? []) {
    if (line !== "" && painter.textWidth(line + word.trimEnd(), style) > widthOf(area)) {
      painter.text(line, area.left, baseline, style);
      baseline += lineHeight;
      line = "";
    }
    line += word;
  }
  painter.text(line, area.left, baseline, style);
  return baseline + lineHeight * 0.4;
}
