import {
  type App,
  type AppContext,
  type AppSpec,
  activitiesOf,
  CATEGORY_LAUNCHER,
  CATEGORY_LEANBACK,
  type Intent,
} from "../apps/app.ts";

export interface Task {
  readonly id: number;
  readonly spec: AppSpec;
  readonly app: App;
  readonly intent: Intent;
  /** Back leads there. */
  readonly startedFrom: string | undefined;
}

export interface StartedActivity {
  readonly packageName: string;
  readonly activity: string;
  /** It was running already and came to the front. */
  readonly isBroughtToFront: boolean;
}

/** The apps that run, the foreground one last. */
export interface TaskStack {
  foreground(): Task;
  tasks(): readonly Task[];
  installed(): readonly AppSpec[];
  find(packageName: string): AppSpec | undefined;
  /** The app and activity for an intent, or undefined when there is none. */
  resolve(intent: Intent): { spec: AppSpec; activity: string } | undefined;
  query(intent: Intent): readonly { spec: AppSpec; activity: string }[];
  start(intent: Intent, from?: string): StartedActivity | undefined;
  finish(packageName: string): void;
  goHome(): void;
  stop(packageName: string): void;
  stopAll(): void;
  uninstall(packageName: string): boolean;
  install(spec: AppSpec): void;
}

export interface TaskStackDependencies {
  readonly apps: readonly AppSpec[];
  readonly isTelevision: boolean;
  contextFor(spec: AppSpec): AppContext;
  onChange(): void;
}

const ACTION_MAIN = "android.intent.action.MAIN";
const CATEGORY_HOME = "android.intent.category.HOME";

export function createTaskStack({ apps, isTelevision, contextFor, onChange }: TaskStackDependencies): TaskStack {
  const launcherCategory = isTelevision ? CATEGORY_LEANBACK : CATEGORY_LAUNCHER;
  const isLaunching = (intent: Intent) =>
    intent.categories?.some((category) => category === CATEGORY_LAUNCHER || category === CATEGORY_LEANBACK) ?? false;
  let installed: readonly AppSpec[] = apps;
  let stack: Task[] = [];
  let nextTaskId = 4;
  const find = (packageName: string) => installed.find((app) => app.packageName === packageName);

  function candidates(intent: Intent): { spec: AppSpec; activity: string }[] {
    const { component } = intent;
    const scope = installed.filter(
      (spec) => intent.packageName === undefined || spec.packageName === intent.packageName,
    );
    if (component) {
      const spec = find(component.packageName);
      const activity = component.activity.startsWith(".")
        ? component.packageName + component.activity
        : component.activity;
      return spec && activitiesOf(spec).includes(activity) ? [{ spec, activity }] : [];
    }
    return scope.flatMap((spec) => {
      const isHome = intent.categories?.includes(CATEGORY_HOME) && spec.isHome === true;
      const isLaunch =
        intent.categories?.includes(launcherCategory) &&
        spec.isInLauncher &&
        (intent.action ?? ACTION_MAIN) === ACTION_MAIN;
      const activity =
        isHome || isLaunch ? spec.mainActivity : isLaunching(intent) ? undefined : spec.resolve?.(intent);
      if (activity === undefined) return [];
      const others = isLaunch ? (spec.otherLaunchers ?? []) : [];
      return [activity, ...others].map((name) => ({ spec, activity: name }));
    });
  }

  function start(intent: Intent, from?: string): StartedActivity | undefined {
    const target = candidates(intent)[0];
    if (!target) return undefined;
    const { spec, activity } = target;
    const running = stack.find((task) => task.spec === spec);
    const app = running?.app ?? spec.open(contextFor(spec));
    const startedFrom = from === spec.packageName || (from !== undefined && find(from)?.isHome) ? undefined : from;
    const task: Task = { id: running?.id ?? nextTaskId++, spec, app, intent, startedFrom };
    stack = [...stack.filter((other) => other.spec !== spec), task];
    app.onIntent?.({ ...intent, component: { packageName: spec.packageName, activity } });
    onChange();
    return { packageName: spec.packageName, activity: app.activity(), isBroughtToFront: running !== undefined };
  }

  function goHome(): void {
    start({ action: ACTION_MAIN, categories: [CATEGORY_HOME] });
  }

  function foreground(): Task {
    const top = stack.at(-1);
    if (top) return top;
    goHome();
    const home = stack.at(-1);
    if (!home) throw new Error("no launcher is installed");
    return home;
  }

  function drop(packageName: string): void {
    const top = stack.at(-1);
    stack = stack.filter((task) => task.spec.packageName !== packageName);
    if (top && top.spec.packageName === packageName) goHome();
    onChange();
  }

  return {
    foreground,
    tasks: () => stack,
    installed: () => installed,
    find,
    resolve: (intent) => candidates(intent)[0],
    query: candidates,
    start,
    finish(packageName) {
      const task = stack.find((candidate) => candidate.spec.packageName === packageName);
      if (!task) return;
      const below = stack.find((candidate) => candidate.spec.packageName === task.startedFrom);
      if (task.app.isTranslucent) stack = stack.filter((other) => other !== task);
      if (below) stack = [...stack.filter((other) => other !== below), below];
      else if (stack.at(-1) === task) goHome();
      onChange();
    },
    goHome,
    stop: drop,
    stopAll() {
      stack = [];
      onChange();
    },
    uninstall(packageName) {
      const spec = find(packageName);
      if (!spec || spec.isSystem) return false;
      installed = installed.filter((app) => app !== spec);
      drop(packageName);
      return true;
    },
    install(spec) {
      installed = [...installed.filter((app) => app.packageName !== spec.packageName), spec];
      onChange();
    },
  };
}
