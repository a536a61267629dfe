/** Version of the server that this phone can run. */
export const SERVER_VERSION = "3.3.1";

/** What `com.genymobile.scrcpy.Server` was started with, as far as a session without pictures needs it. */
export interface ServerOptions {
  readonly video: boolean;
  readonly audio: boolean;
  readonly control: boolean;
  readonly displayId: number;
  readonly tunnelForward: boolean;
  readonly socketName: string;
  readonly cleanup: boolean;
  readonly powerOn: boolean;
  readonly powerOffOnClose: boolean;
  readonly clipboardAutosync: boolean;
  readonly sendDeviceMeta: boolean;
  readonly sendDummyByte: boolean;
  readonly lists: boolean;
  readonly listsApps: boolean;
}

export class ServerOptionsError extends Error {
  override name = "ServerOptionsError";
}

const KNOWN = new Set(
  `scid log_level video audio video_codec audio_codec video_source audio_source audio_dup max_size video_bit_rate audio_bit_rate
max_fps angle tunnel_forward crop control display_id camera_id camera_size camera_facing camera_ar camera_fps camera_high_speed
show_touches stay_awake screen_off_timeout video_codec_options audio_codec_options video_encoder audio_encoder
power_off_on_close clipboard_autosync downsize_on_error cleanup power_on list_encoders list_displays list_cameras
list_camera_sizes list_apps send_device_meta send_frame_meta send_dummy_byte send_codec_meta raw_stream capture_orientation
new_display vd_destroy_content vd_system_decorations display_ime_policy`.split(/\s+/),
);

/** The first argument is the client's version, the others are `key=value`. Throws with the server's own words. */
export function parseServerOptions(args: readonly string[], version: string): ServerOptions {
  const [clientVersion, ...pairs] = args;
  if (clientVersion === undefined) throw new ServerOptionsError("Missing client version");
  if (clientVersion !== version)
    throw new ServerOptionsError(`The server version (${version}) does not match the client (${clientVersion})`);
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const equal = pair.indexOf("=");
    if (equal < 0) throw new ServerOptionsError(`Invalid key=value pair: "${pair}"`);
    // Unknown keys are only warned about, so that a newer client can still start it.
    if (KNOWN.has(pair.slice(0, equal))) values.set(pair.slice(0, equal), pair.slice(equal + 1));
  }
  const isOn = (key: string, fallback: boolean) => (values.has(key) ? values.get(key) === "true" : fallback);
  const isRaw = isOn("raw_stream", false);
  const scid = Number.parseInt(values.get("scid") ?? "-1", 16);
  if (values.has("scid") && (Number.isNaN(scid) || scid < -1))
    throw new ServerOptionsError(`scid may not be negative (except -1 for 'none'): ${values.get("scid")}`);
  return {
    video: isOn("video", true),
    audio: isOn("audio", true),
    control: isOn("control", true),
    displayId: Number(values.get("display_id") ?? 0),
    tunnelForward: isOn("tunnel_forward", false),
    socketName: scid === -1 ? "scrcpy" : `scrcpy_${scid.toString(16).padStart(8, "0")}`,
    cleanup: isOn("cleanup", true),
    powerOn: isOn("power_on", true),
    powerOffOnClose: isOn("power_off_on_close", false),
    clipboardAutosync: isOn("clipboard_autosync", true),
    sendDeviceMeta: !isRaw && isOn("send_device_meta", true),
    sendDummyByte: !isRaw && isOn("send_dummy_byte", true),
    listsApps: isOn("list_apps", false),
    lists: ["list_encoders", "list_displays", "list_cameras", "list_apps"].some((key) => isOn(key, false)),
  };
}
