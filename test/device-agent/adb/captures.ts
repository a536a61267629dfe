import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Recorded outputs of real phones, which are not part of this repository. */
const folder = resolve(process.env.FARHAND_CAPTURES ?? join(import.meta.dirname, "../../../../shared/captures"));

export const hasCaptures = existsSync(folder);
export const captureBytes = (name: string): Uint8Array => readFileSync(join(folder, name));
export const capture = (name: string): string => readFileSync(join(folder, name), "utf8");
export const captureNames = (under: string): string[] =>
  readdirSync(join(folder, under)).map((name) => `${under}/${name}`);
