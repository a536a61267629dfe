import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Database } from "../../gateway/store/database.ts";
import { connectReady, listedDevices, pause, until } from "./support/ready.ts";
import { legacyCall, postRaw } from "./support/rpc.ts";
import { ownerToken, startTestGateway, type TestGateway, tokenFor } from "./support/start-test-gateway.ts";

let gateway: TestGateway;
afterEach(() => gateway.stop());

describe("a database that hangs", () => {
  it("holds up no call, since a call runs no statement", async () => {
    let statements = 0;
    let unblock = () => {};
    let blocked: Promise<void> | null = null;
    const wrapDatabase = (database: Database): Database => ({
      ...database,
      async run(work) {
        statements++;
        await (blocked ?? pause(100));
        return database.run(work);
      },
    });
    gateway = await startTestGateway({ wrapDatabase });
    await connectReady(gateway);
    const press = () => postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }));
    blocked = new Promise((resolve) => {
      unblock = resolve;
    });
    const before = statements;
    const answers = await Promise.all(Array.from({ length: 10 }, press));
    expect(answers.map(({ message }) => message.result.structuredContent.ok)).toEqual(Array(10).fill(true));
    const listed = listedDevices(gateway);
    await until(() => statements > before);
    unblock();
    expect(await listed).toHaveLength(1);
    expect(statements).toBe(before + 1);
  });
});

describe("the audit", () => {
  const reader = tokenFor("reader", ["screen:read"]);
  const rows = async (complete: (text: string) => boolean) => {
    let text = "";
    await until(async () => {
      text = await readFile(join(gateway.dataDir, "audit.jsonl"), "utf8");
      return complete(text);
    });
    return {
      text,
      rows: text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    };
  };

  it("has one row per call, refused ones too, and never what was typed", async () => {
    gateway = await startTestGateway({ tokens: [reader] });
    await connectReady(gateway, {
      onCall: (call, self) => self.answer(call, { ok: true, verified: "true", characters: 6, route: "input" }),
    });
    await postRaw(gateway.mcp, legacyCall("type_text", { text: "hunter2 is my secret" }));
    await postRaw(gateway.mcp, legacyCall("set_clipboard", { text: "clipboard secret" }));
    await postRaw(gateway.mcp, legacyCall("open_url", { url: "https://example.com/?token=abc" }));
    await postRaw(gateway.mcp, legacyCall("tap", { x: 3, y: 4 }), { token: reader.token });
    await postRaw(gateway.mcp, legacyCall("press_key", { key: "home", device: "nobody" }));
    await postRaw(gateway.mcp, legacyCall("press_key", { key: "none of them" }));
    const { text, rows: found } = await rows((written) => written.split("press_key").length === 3);
    const told = found.filter(({ tool }) => tool !== "list_devices");
    const [typed, clipboard] = told;
    expect(typed).toMatchObject({
      tenant: "default",
      subject: "owner",
      tool: "type_text",
      outcome: "ok",
      arguments: { text: "(20 characters)" },
      device: expect.stringMatching(/^dev_/),
      call_id: expect.stringMatching(/^[\w-]{22}$/),
      ms: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    });
    expect(clipboard.arguments).toEqual({ text: "(16 characters)" });
    expect(told.map(({ tool, subject, outcome }) => [tool, subject, outcome]).slice(-3)).toEqual([
      ["tap", "reader", "permission_denied"],
      ["press_key", "owner", "device_not_found"],
      ["press_key", "owner", "invalid_argument"],
    ]);
    expect(told.at(-3).arguments).toEqual({ x: 3, y: 4 });
    expect(told.at(-2).arguments).toEqual({ key: "home", device: "nobody" });
    for (const secret of ["hunter2", "clipboard secret", "token=abc", ownerToken, reader.token]) {
      expect(text).not.toContain(secret);
    }
  });

  it("is complete when the gateway stops at once", async () => {
    gateway = await startTestGateway();
    const path = join(gateway.dataDir, "audit.jsonl");
    await postRaw(gateway.mcp, legacyCall("list_devices"));
    const before = await readFile(path, "utf8");
    expect(before).toBe("");
    const { stop } = gateway;
    const kept = new Promise<string>((resolve) => {
      const look = setInterval(async () => {
        const text = await readFile(path, "utf8").catch(() => "");
        if (text === "") return;
        clearInterval(look);
        resolve(text);
      }, 1);
    });
    await Promise.all([kept, stop()]);
    gateway = await startTestGateway();
    expect(JSON.parse(await kept).tool).toBe("list_devices");
  });
});
