import { describe, test } from "vitest";
import { defaultOcrDir, findAddOn } from "../../device-agent/ocr/add-on.ts";

/** A suite that reads with the real models. They are an add-on: where it is missing the suite says so. */
export function describeWithOcr(title: string, suite: () => void): void {
  if (findAddOn(defaultOcrDir())) describe(title, suite);
  else if (process.env.CI === "true") {
    test(`${title}: needs the OCR add-on`, () => {
      throw new Error("The OCR add-on is missing: npm run add-ocr");
    });
  } else describe.skip(`${title} (skipped: \`npm run add-ocr\` enables it)`, suite);
}
