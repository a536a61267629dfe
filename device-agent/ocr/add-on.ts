import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodedError } from "../../shared/errors.ts";
import { type AddOnFiles, resolveAddOn } from "./onnx-models.ts";

export const missingAddOn =
  "The add-on that reads text from pixels (OCR) is not installed: run `npm run add-ocr` in Farhand's folder at the device agent.";
export const cannotRun =
  "The add-on that reads text from pixels (OCR) cannot run on this machine: it needs Linux with glibc, Windows, or macOS on Apple silicon.";
const insteadHint = "Use take_screenshot and its coordinates instead, or read_ui_tree.";
const addHint = `Ask the owner of the device agent to run \`npm run add-ocr\` in Farhand's folder (about 300 MB, no restart). ${insteadHint}`;

/** The add-on is a folder with a package.json and lock of its own, as its packages are large and few need them. */
export function defaultOcrDir(): string {
  // Beside the sources; the built program is in `dist`.
  const folders = ["./", "../../../device-agent/ocr/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, "package.json"))) ?? folders[0] ?? "";
}

/** Undefined while the add-on is not installed, or not whole. */
export function findAddOn(ocrDir: string): AddOnFiles | undefined {
  try {
    const files = resolveAddOn(ocrDir);
    return Object.values(files).every((file) => existsSync(file)) ? files : undefined;
  } catch {
    return undefined;
  }
}

/** `unsupported`, with what adds it. */
export function notInstalled(reason = missingAddOn, cause?: unknown): CodedError {
  return new CodedError("unsupported", reason, { hint: reason === cannotRun ? insteadHint : addHint, cause });
}
