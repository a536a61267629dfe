import { CodedError } from "../../../shared/errors.ts";

const packageName = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
const activityName = /^\.?[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/** Throws `invalid_argument` for anything that is no Android package name; "android" itself is none here. */
export function checkPackageName(name: string): void {
  if (name.length <= 255 && packageName.test(name)) return;
  throw new CodedError("invalid_argument", "This is not the package name of an app.", {
    hint: "Run list_apps to see the package names.",
  });
}

export interface Component {
  packageName: string;
  activity: string;
}

/** `com.example/.Main` with both halves checked; the activity in full. Undefined for anything else. */
export function parseComponent(text: string): Component | undefined {
  const [name = "", activity = "", ...more] = text.trim().split("/");
  if (more.length > 0 || !packageName.test(name) || !activityName.test(activity)) return undefined;
  return { packageName: name, activity: activity.startsWith(".") ? name + activity : activity };
}
