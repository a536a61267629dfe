import { heightOf, widthOf } from "../screen/geometry.ts";
import type { View } from "../screen/view.ts";
import { button, column, label, stack } from "../screen/widgets.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "com.android.camera2";
const PERMISSION = "android.permission.CAMERA";

export const camera: AppSpec = {
  packageName: PACKAGE,
  label: "Camera",
  versionName: "2.0.002",
  versionCode: 20_002,
  uid: 10_131,
  isSystem: true,
  isInLauncher: true,
  mainActivity: "com.android.camera.CameraLauncher",
  icon: { name: "camera", color: "#45525f" },
  resolve: (intent) =>
    /^android\.media\.action\.(STILL_IMAGE_CAMERA|IMAGE_CAPTURE)$/.test(intent.action ?? "")
      ? "com.android.camera.CameraLauncher"
      : undefined,
  open: openCamera,
};

/** Asks for the camera when it is first opened. */
function openCamera(context: AppContext): App {
  let shots = 0;
  const ask = () => context.askPermission(PERMISSION, "Allow Camera to take pictures and record video?");

  const viewfinder: View = {
    className: "android.view.TextureView",
    id: "preview_content",
    width: "fill",
    height: "fill",
    paint(painter, bounds) {
      painter.gradient(bounds, "#7fb2d6", "#e8d9b5");
      painter.circle(
        bounds.left + widthOf(bounds) * 0.7,
        bounds.top + heightOf(bounds) * 0.25,
        widthOf(bounds) * 0.09,
        "#fff3c4",
      );
      painter.polygon(
        [
          [bounds.left, bounds.bottom],
          [bounds.left + widthOf(bounds) * 0.4, bounds.top + heightOf(bounds) * 0.5],
          [bounds.right, bounds.bottom],
        ],
        "#567a5e",
      );
    },
  };

  function content(): View {
    if (!context.hasPermission(PERMISSION))
      return column(
        [
          label("Camera needs your permission", { size: 18, color: "#ffffff", align: "center" }, { id: "message" }),
          button("Allow access", "allow_access", ask, "tonal", { margin: { top: 16 } }),
        ],
        { height: "fill", align: "center", justify: "center" },
      );
    const shutter: View = {
      className: "android.widget.ImageView",
      id: "shutter_button",
      description: "Shutter",
      width: 76,
      height: 76,
      margin: { bottom: 28 },
      look: { background: "#ffffff", radius: 38, border: "#888888" },
      onClick() {
        shots++;
        context.toast(`Photo ${shots} saved`);
      },
    };
    return stack([viewfinder, shutter], { height: "fill", align: "center", justify: "end" });
  }

  return {
    activity: () => camera.mainActivity,
    content,
    look: { background: "#101114" },
    hasDarkBars: true,
    onIntent() {
      if (!context.hasPermission(PERMISSION)) ask();
    },
  };
}
