import { freshApk } from "./fresh-apk.mjs";

/**
 * How each tool is called once, on one simulated phone, in this order: what needs the phone stands above `reboot`. Per
 * tool, all of it optional:
 *
 * - `arguments`: what stands in the example; a function gets the answers of the tools above by their names.
 * - `before`, `after`: calls as [tool, arguments, until] that set the stage or clear it and are not shown; in `before` also
 *   functions of the answers so far and of what `farhand up` said.
 * - `until`: the call is made again until its answer fulfils this, for what takes a moment.
 * - `needsOcr`: the add-on has a part in the answer; where it is missing, the example at hand stays as it is.
 */
const notes = "app.farhand.notes";
/** The first touches may go before the fast way is open. */
const home = ["press_key", { key: "home" }, ({ route }) => route === "scrcpy"];
const back = ["press_key", { key: "back" }];
const look = ["take_screenshot", {}];
const open = (app) => ["open_app", { package: app }];
const openNotes = [open(notes), ["wait_for", { text: "Shopping list" }]];
const openMap = [["open_url", { url: "geo:54.32,10.14" }], ["wait_for", { idle: true }], look];

/** A Task that goes on, begun by A2A and at work: `ask` would wait for its end. */
async function beginTask(told, { a2a, token }) {
  const request = async (method, params) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "A2A-Version": "1.0" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { result, error } = await (await fetch(a2a, { method: "POST", headers, body })).json();
    if (error) throw new Error(error.message);
    return result;
  };
  const waiting = { tool: "wait_for", arguments: { text: "Nowhere on the screen", timeout_ms: 5_000 } };
  const steps = [waiting, { tool: "press_key", arguments: { key: "home" } }];
  const message = { messageId: "begin", role: "ROLE_USER", parts: [{ data: { steps } }] };
  const { task } = await request("SendMessage", { message, configuration: { returnImmediately: true } });
  for (let { state } = task.status; state === "TASK_STATE_SUBMITTED"; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ state } = (await request("GetTask", { id: task.id })).status);
  }
  told.begun = task.id;
}

export const story = {
  list_devices: {},
  device_info: { needsOcr: true },
  wake: { before: [["sleep", {}]] },
  list_apps: { arguments: { contains: "note" } },
  open_app: { arguments: { package: notes } },
  wait_for: { arguments: { text: "Shopping list" } },
  foreground_app: {},
  read_screen: { arguments: { limit: 5 } },
  take_screenshot: {},
  read_ui_tree: { arguments: { limit: 6 } },
  set_clipboard: { arguments: { text: "Gate code: 4827" } },
  read_clipboard: {},
  tap_text: { before: [home, ...openNotes], arguments: { text: "Ideas" }, after: [back] },
  tap_element: { before: openNotes, arguments: { desc: "New note" } },
  type_text: { arguments: { text: "Milk, 你好 🥛" } },
  press_key: { arguments: { key: "back" }, after: [back] },
  tap: { before: [...openNotes, look], arguments: { x: 100, y: 480, observe: "screenshot" }, after: [back] },
  long_press: { before: [look], arguments: { x: 100, y: 220, observe: "tree" }, after: [back] },
  swipe: {
    before: [open("com.android.settings"), ["wait_for", { idle: true }], look],
    arguments: { x: 270, y: 900, to_x: 270, to_y: 400 },
  },
  open_url: { arguments: { url: "geo:54.32,10.14" } },
  double_tap: { before: openMap, arguments: { x: 270, y: 500, snap: false } },
  pinch: { before: [look], arguments: { x: 270, y: 500, scale: 2, observe: "tree" } },
  set_orientation: {
    arguments: { orientation: "landscape" },
    after: [["set_orientation", { orientation: "portrait" }], home],
  },
  read_text: {
    before: [open("app.farhand.reader"), ["wait_for", { idle: true }]],
    arguments: { min_score: 0.8 },
    needsOcr: true,
  },
  stop_app: { arguments: { package: "app.farhand.reader" }, after: [home] },
  read_notifications: {
    before: [["run_shell", { command: "cmd notification post -t 'Parcel' parcel 'Arrives today at 14:00.'" }]],
  },
  read_logs: { before: [open(notes)], arguments: { lines: 2, tag: "ActivityTaskManager" } },
  run_shell: { arguments: { command: "getprop ro.product.model; ls /nothing" } },
  start_process: { arguments: { command: "echo begun; sleep 600" } },
  read_process: {
    arguments: ({ start_process: { process_id } }) => ({ process_id }),
    until: ({ text }) => text !== "",
  },
  stop_process: { arguments: ({ start_process: { process_id } }) => ({ process_id }) },
  push_file: { arguments: { path: "/sdcard/Download/list.txt", content: "Milk\nBread\n" } },
  pull_file: { arguments: { path: "/sdcard/Download/list.txt", digest: true } },
  install_app: {
    before: [["push_file", { path: "/sdcard/Download/fresh.apk", content: freshApk, encoding: "base64" }]],
    arguments: { apks: ["/sdcard/Download/fresh.apk"] },
  },
  clear_app_data: { arguments: { package: "com.example.fresh" } },
  uninstall_app: { arguments: { package: "com.example.fresh" } },
  ask: { arguments: { steps: [{ tool: "open_app", arguments: { package: notes } }] } },
  get_task: { arguments: ({ ask: { task } }) => ({ task_id: task.id }) },
  cancel_task: { before: [beginTask], arguments: ({ begun }) => ({ task_id: begun }) },
  run_steps: {
    before: [home],
    arguments: {
      steps: [
        { tool: "open_app", arguments: { package: notes } },
        { tool: "tap_element", arguments: { desc: "New note" } },
        { tool: "type_text", arguments: { text: "Call Kim", observe: "screenshot" } },
      ],
    },
  },
  acquire_device: { arguments: { minutes: 10, purpose: "Trying out a new release" } },
  release_device: { arguments: ({ acquire_device: { lease_id } }) => ({ lease_id }) },
  sleep: {},
  reboot: {},
};
