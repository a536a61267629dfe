import { createTextField, setFieldValue } from "../screen/text-field.ts";
import type { Scroll, View } from "../screen/view.ts";
import { column, editText, icon, iconButton, label, row, scrollView, THEME } from "../screen/widgets.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "com.android.chrome";
const MAIN = "com.google.android.apps.chrome.Main";
const TABBED = "org.chromium.chrome.browser.ChromeTabbedActivity";

export const browser: AppSpec = {
  packageName: PACKAGE,
  label: "Chrome",
  versionName: "122.0.6261.64",
  versionCode: 626_106_432,
  uid: 10_130,
  isSystem: true,
  isInLauncher: true,
  mainActivity: MAIN,
  otherActivities: [TABBED],
  icon: { name: "globe", color: "#3b7de0" },
  resolve(intent) {
    const isWeb = intent.action === "android.intent.action.VIEW" && /^https?:/i.test(intent.data ?? "");
    return isWeb || intent.action === "android.intent.action.WEB_SEARCH" ? MAIN : undefined;
  },
  open: openBrowser,
};

/** A browser without a network: it shows where it was sent and that it cannot get there. */
function openBrowser(context: AppContext): App {
  const scroll: Scroll = { offset: 0, max: 0 };
  const address = createTextField({ onSubmit: () => visit(address.value) });
  let url = "";

  function visit(text: string): void {
    url = /^[a-z][a-z0-9+.-]*:/i.test(text) || text === "" ? text : `https://${text}`;
    setFieldValue(address, url);
    context.hideKeyboard();
    context.changed();
  }

  /** The page lives in a web view, whose parts have no resource ids. */
  function page(): View {
    const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
    const parts =
      url === ""
        ? [label("Search or type an address", { size: 18, color: THEME.onSurfaceVariant })]
        : [
            icon("globe", 56, THEME.outline, { margin: { bottom: 20 } }),
            label("This site can't be reached", { size: 24, weight: 500 }),
            label(
              `${host}'s server IP address could not be found.`,
              { size: 16, color: THEME.onSurfaceVariant },
              { margin: { top: 14 } },
            ),
            label("ERR_NAME_NOT_RESOLVED", { size: 13, color: THEME.outline }, { margin: { top: 20 } }),
          ];
    return scrollView(scroll, [column(parts, { className: "android.view.View", padding: 28 })], {
      className: "android.webkit.WebView",
      description: host,
    });
  }

  return {
    activity: () => (url === "" ? MAIN : TABBED),
    onIntent(intent) {
      if (intent.data !== undefined) visit(intent.data);
    },
    content: () =>
      column(
        [
          row(
            [
              editText("url_bar", address, "Search or type URL", {
                weight: 1,
                look: { background: THEME.surfaceContainer, radius: 26 },
                textStyle: { size: 15 },
              }),
              iconButton("more", "More options", () => context.toast("Nothing more"), { id: "menu_button" }),
            ],
            {
              className: "android.widget.FrameLayout",
              id: "toolbar",
              padding: { left: 12, right: 4, top: 8, bottom: 8 },
            },
          ),
          page(),
        ],
        { height: "fill" },
      ),
  };
}
