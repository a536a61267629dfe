import { button, column, icon, label, THEME } from "../screen/widgets.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "com.google.android.permissioncontroller";
const ACTIVITY = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";
const ID = "com.android.permissioncontroller:id";

/** The system's question whether an app may use something. */
export const permissionPrompt: AppSpec = {
  packageName: PACKAGE,
  label: "Permission controller",
  versionName: "34",
  versionCode: 340_000_000,
  uid: 10_120,
  isSystem: true,
  isInLauncher: false,
  mainActivity: ACTIVITY,
  icon: { name: "shield", color: "#3b5ba9" },
  resolve: (intent) => (intent.action === "android.content.pm.action.REQUEST_PERMISSIONS" ? ACTIVITY : undefined),
  open: openPrompt,
};

function openPrompt(context: AppContext): App {
  let request: ReadonlyMap<string, string> = new Map();

  function answer(isGranted: boolean): void {
    context.setPermission(request.get("package") ?? "", request.get("name") ?? "", isGranted);
    context.finish();
  }

  const choice = (text: string, id: string, isGranted: boolean) =>
    button(text, `${ID}/${id}`, () => answer(isGranted), "tonal", { width: "fill" });

  return {
    activity: () => ACTIVITY,
    isTranslucent: true,
    hasDarkBars: true,
    onIntent(intent) {
      request = intent.extras ?? new Map();
    },
    content: () =>
      column(
        [
          icon("shield", 30, THEME.primary, { id: `${ID}/permission_icon` }),
          label(
            request.get("sentence") ?? "",
            { size: 19, align: "center" },
            { id: `${ID}/permission_message`, width: "fill", margin: { top: 14, bottom: 18 } },
          ),
          choice("While using the app", "permission_allow_foreground_only_button", true),
          choice("Only this time", "permission_allow_one_time_button", true),
          choice("Don't allow", "permission_deny_button", false),
        ],
        {
          className: "android.widget.LinearLayout",
          id: `${ID}/grant_dialog`,
          align: "center",
          gap: 6,
          padding: { left: 24, right: 24, top: 26, bottom: 22 },
          look: { background: THEME.surfaceContainer, radius: 28, elevation: 6 },
        },
      ),
    onBack() {
      answer(false);
      return true;
    },
  };
}
