export interface Battery {
  percent: number | null;
  charging: boolean | null;
}

/**
 * `dumpsys battery`: the first value of each name counts, since vendors append event logs that repeat them; level is
 * in parts of scale. Status 2 is charging and 5 full (android.os.BatteryManager).
 */
export function parseBattery(text: string): Battery {
  const number = (name: string) => {
    const match = new RegExp(`^\\s*${name}: (\\d+)\\s*$`, "m").exec(text);
    return match ? Number(match[1]) : null;
  };
  const level = number("level");
  const scale = number("scale") ?? 100;
  const status = number("status");
  const percent = level === null || scale === 0 ? null : Math.round((level * 100) / scale);
  return { percent, charging: status === null ? null : status === 2 || status === 5 };
}
