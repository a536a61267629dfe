import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "./support/house.ts";

const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url);

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house?.stop());

test("device_info says from what commit, in which build and as which file both processes run", async () => {
  const stamp = existsSync(built("build.json")) ? JSON.parse(readFileSync(built("build.json"), "utf8")) : {};
  const client = await house.connect();
  const { structuredContent } = await client.call("device_info");
  const identity = {
    git_commit: stamp.commit ?? null,
    dirty: stamp.dirty ?? null,
    build_id: stamp.buildId ?? null,
    target: `${process.platform}-${process.arch}`,
    profile: "release",
    user_id: process.getuid?.() ?? null,
    sha256: createHash("sha256")
      .update(readFileSync(built("cli/main.js")))
      .digest("hex"),
  };
  expect(structuredContent).toMatchObject({ device_agent: identity, gateway: identity });
  await client.close();
});
