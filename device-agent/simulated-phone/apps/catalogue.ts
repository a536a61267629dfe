import type { AppSpec } from "./app.ts";
import { bank } from "./bank.ts";
import { browser } from "./browser.ts";
import { camera } from "./camera.ts";
import { chat } from "./chat.ts";
import { createLauncher, type HomeScreen } from "./launcher.ts";
import { maps } from "./maps.ts";
import { notes } from "./notes.ts";
import { permissionPrompt } from "./permission-prompt.ts";
import { reader } from "./reader.ts";
import { settingsApp } from "./settings.ts";

/** The same app with a second symbol on the home screen. */
const notesAndLists: AppSpec = { ...notes, otherLaunchers: [`${notes.packageName}.ListsActivity`] };

/** Every app on the phone, in the order of the launcher. */
export function appsOf(home: HomeScreen, hasSecondLauncher = false): readonly AppSpec[] {
  return [
    createLauncher(home),
    chat,
    hasSecondLauncher ? notesAndLists : notes,
    reader,
    bank,
    maps,
    browser,
    camera,
    settingsApp,
    permissionPrompt,
  ];
}
