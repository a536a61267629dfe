import type { AppSpec } from "./app.ts";
import { bank } from "./bank.ts";
import { browser } from "./browser.ts";
import { camera } from "./camera.ts";
import { chat } from "./chat.ts";
import { launcher } from "./launcher.ts";
import { maps } from "./maps.ts";
import { notes } from "./notes.ts";
import { permissionPrompt } from "./permission-prompt.ts";
import { reader } from "./reader.ts";
import { settingsApp } from "./settings.ts";

/** Every app on the phone, in the order of the launcher. */
export const APPS: readonly AppSpec[] = [
  launcher,
  chat,
  notes,
  reader,
  bank,
  maps,
  browser,
  camera,
  settingsApp,
  permissionPrompt,
];
