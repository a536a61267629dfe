import type { Program, ProgramTable } from "./program.ts";

const getprop: Program = async ({ args, phone, print }) => {
  const [name, fallback = ""] = args;
  if (name !== undefined) {
    await print(`${phone.properties.get(name) ?? fallback}\n`);
    return 0;
  }
  for (const [key, value] of [...phone.properties].sort()) await print(`[${key}]: [${value}]\n`);
  return 0;
};

const setprop: Program = async ({ args, phone, printError }) => {
  const [name = "", value = ""] = args;
  if (/^(debug|log|persist\.log|sys\.powerctl)/.test(name)) {
    phone.properties.set(name, value);
    if (name === "sys.powerctl") phone.reboot(value);
    return 0;
  }
  await printError(`Failed to set property '${name}' to '${value}'.\nSee dmesg for error reason.\n`);
  return 1;
};

export const propertyPrograms: ProgramTable = { getprop, setprop };
