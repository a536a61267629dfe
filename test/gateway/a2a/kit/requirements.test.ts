import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { requirements } from "./requirements.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const titles = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts") && name !== "requirements.test.ts")
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n");
const tagged = new Set([...titles.matchAll(/\[([A-Z_]+(?:-[A-Z_]+)*-\d{3}a?)\]/g)].map(([, id]) => id ?? ""));

test("every requirement of the kit is shown by a test, or has a reason why not", () => {
  for (const [id, shown] of Object.entries(requirements)) {
    if (shown === "kit") expect(tagged, id).toContain(id);
    else if ("file" in shown) expect(readFileSync(join(root, shown.file), "utf8"), id).toContain(`"${shown.title}"`);
    else expect(shown.without.length, id).toBeGreaterThan(10);
  }
});

test("every requirement that a test names is one of the kit's", () => {
  for (const id of tagged) expect(requirements, id).toHaveProperty([id]);
});
