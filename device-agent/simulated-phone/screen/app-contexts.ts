import type { AppContext, AppSpec, Intent } from "../apps/app.ts";
import type { PhoneProfile } from "../options.ts";
import type { Clipboard } from "../phone/clipboard.ts";
import type { SettingsStore } from "../phone/settings-store.ts";
import type { Display } from "./display.ts";
import type { TaskStack } from "./task-stack.ts";

/** What the system keeps for each app and does for it. */
export interface AppContexts {
  contextFor(spec: AppSpec): AppContext;
  storageOf(packageName: string): Map<string, unknown>;
  permissionsOf(packageName: string): Set<string>;
}

export interface AppContextsDependencies {
  readonly profile: PhoneProfile;
  readonly settings: SettingsStore;
  readonly clipboard: Clipboard;
  readonly display: Display;
  tasks(): TaskStack;
  start(intent: Intent, from: string): void;
  focus(fieldId: string): void;
  hideKeyboard(): void;
  showToast(text: string): void;
  changed(): void;
}

export function createAppContexts(dependencies: AppContextsDependencies): AppContexts {
  const { profile, settings, clipboard, display, changed } = dependencies;
  const storages = new Map<string, Map<string, unknown>>();
  const permissions = new Map<string, Set<string>>();

  function storageOf(packageName: string): Map<string, unknown> {
    const storage = storages.get(packageName) ?? new Map<string, unknown>();
    storages.set(packageName, storage);
    return storage;
  }

  function permissionsOf(packageName: string): Set<string> {
    const granted = permissions.get(packageName) ?? new Set<string>();
    permissions.set(packageName, granted);
    return granted;
  }

  return {
    storageOf,
    permissionsOf,
    contextFor: (spec) => ({
      changed,
      start: (intent) => dependencies.start(intent, spec.packageName),
      finish: () => dependencies.tasks().finish(spec.packageName),
      focus: dependencies.focus,
      hideKeyboard: dependencies.hideKeyboard,
      toast: dependencies.showToast,
      now: () => profile.clock.now(),
      isLandscape: () => display.isLandscape(),
      storage: storageOf(spec.packageName),
      settings,
      clipboard,
      device: { model: profile.model, androidRelease: profile.androidRelease },
      hasPermission: (name) => permissionsOf(spec.packageName).has(name),
      setPermission(packageName, name, isGranted) {
        if (isGranted) permissionsOf(packageName).add(name);
        else permissionsOf(packageName).delete(name);
        changed();
      },
      askPermission(name, sentence) {
        const extras = new Map(Object.entries({ name, sentence, package: spec.packageName }));
        dependencies.start({ action: "android.content.pm.action.REQUEST_PERMISSIONS", extras }, spec.packageName);
      },
      installed: () => dependencies.tasks().installed(),
      recent: () =>
        dependencies
          .tasks()
          .tasks()
          .map((task) => task.spec),
      stop: (packageName) => dependencies.tasks().stop(packageName),
    }),
  };
}
