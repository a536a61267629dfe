export type SettingsNamespace = "system" | "secure" | "global";

/** The settings provider: three tables of strings. */
export interface SettingsStore {
  get(namespace: SettingsNamespace, key: string): string | undefined;
  put(namespace: SettingsNamespace, key: string, value: string): void;
  delete(namespace: SettingsNamespace, key: string): boolean;
  list(namespace: SettingsNamespace): readonly (readonly [string, string])[];
  isOn(namespace: SettingsNamespace, key: string): boolean;
}

const DEFAULTS: Record<SettingsNamespace, Record<string, string>> = {
  system: {
    accelerometer_rotation: "1",
    user_rotation: "0",
    screen_brightness: "128",
    screen_brightness_mode: "1",
    screen_off_timeout: "60000",
    font_scale: "1.0",
    haptic_feedback_enabled: "1",
    sound_effects_enabled: "1",
    pointer_location: "0",
    show_touches: "0",
  },
  secure: {
    bluetooth_name: "Farhand Sim",
    location_mode: "3",
    ui_night_mode: "1",
    show_ime_with_hard_keyboard: "0",
    lockscreen_show_notifications: "1",
  },
  global: {
    adb_enabled: "1",
    airplane_mode_on: "0",
    auto_time: "1",
    bluetooth_on: "1",
    development_settings_enabled: "1",
    device_provisioned: "1",
    mobile_data: "1",
    stay_on_while_plugged_in: "0",
    wifi_on: "1",
    window_animation_scale: "1.0",
    transition_animation_scale: "1.0",
    animator_duration_scale: "1.0",
  },
};

/** `androidId` is what Settings.Secure.ANDROID_ID gives the shell: 16 hexadecimal digits. */
export function createSettingsStore(
  androidId: string,
  onChange: (namespace: SettingsNamespace, key: string) => void,
): SettingsStore {
  const tables = {
    system: new Map(Object.entries(DEFAULTS.system)),
    secure: new Map(Object.entries({ android_id: androidId, ...DEFAULTS.secure })),
    global: new Map(Object.entries(DEFAULTS.global)),
  };
  return {
    get: (namespace, key) => tables[namespace].get(key),
    put(namespace, key, value) {
      tables[namespace].set(key, value);
      onChange(namespace, key);
    },
    delete(namespace, key) {
      const existed = tables[namespace].delete(key);
      onChange(namespace, key);
      return existed;
    },
    list: (namespace) => [...tables[namespace]].sort(([left], [right]) => (left < right ? -1 : 1)),
    isOn: (namespace, key) => tables[namespace].get(key) === "1",
  };
}
