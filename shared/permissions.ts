/** What a token may allow and an owner may deny. The names are also the OAuth scopes. */
export const permissionTable = {
  "screen:read": "See the screen, its texts, the apps and the clipboard.",
  "screen:write": "Touch, type, start and stop apps.",
  "device:danger": "Install, delete, run commands, move files, restart.",
  "device:lease": "Hold a phone for oneself for a while.",
  "task:run": "Start, follow and cancel Tasks.",
} as const;

export type Permission = keyof typeof permissionTable;

export const permissions = Object.keys(permissionTable) as [Permission, ...Permission[]];
