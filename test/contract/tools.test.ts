import { describe, expect, test } from "vitest";
import { z } from "zod";
import { mcpToolOf } from "../../gateway/mcp/tools.ts";
import { permissions } from "../../shared/permissions.ts";
import { inputSchemaOf, outputSchemaOf } from "../../shared/tools/json-schema.ts";
import { toolSpecs } from "../../shared/tools/specs.ts";

describe("the tools as clients know them", () => {
  test.each(toolSpecs.map((spec) => ({ name: spec.name, spec })))("$name is what it was", async ({ name, spec }) => {
    const { title, description, permission, effect, timeoutMs, kind } = spec;
    const contract = { name, title, description, kind, permission, effect, timeoutMs };
    const schemas = { input: inputSchemaOf(spec), output: outputSchemaOf(spec) };
    const text = `${JSON.stringify({ ...contract, ...schemas }, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`./tools/${name}.json`);
  });

  test("are listed in a fixed order", () => {
    expect(toolSpecs.map(({ name }) => name).join(" ")).toBe(
      "list_devices device_info read_screen take_screenshot read_ui_tree read_text wait_for foreground_app list_apps " +
        "read_clipboard read_notifications read_logs tap_text tap_element tap double_tap long_press swipe pinch press_key type_text set_clipboard " +
        "open_app stop_app open_url set_orientation wake sleep run_shell start_process " +
        "read_process stop_process push_file pull_file install_app uninstall_app clear_app_data reboot acquire_device release_device run_steps " +
        "ask get_task cancel_task",
    );
  });

  test("have names that every client takes", () => {
    for (const { name } of toolSpecs) expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(new Set(toolSpecs.map(({ name }) => name.toLowerCase())).size).toBe(toolSpecs.length);
  });

  test("are told in one or two sentences", () => {
    for (const { name, description } of toolSpecs) {
      expect(description.match(/[.!?](\s|$)/g)?.length ?? 0, name).toBeGreaterThanOrEqual(1);
      expect(description.length, name).toBeLessThanOrEqual(170);
    }
  });

  test("ask for permissions that exist", () => {
    for (const { name, permission } of toolSpecs) expect(permissions, name).toContain(permission);
  });

  test("end before clients give up", () => {
    for (const { name, timeoutMs } of toolSpecs) expect(timeoutMs, name).toBeLessThan(50_000);
  });

  test("refuse arguments that they do not know", () => {
    for (const { name, input } of toolSpecs) {
      const told = input.safeParse({ from_the_future: 1 }).error?.issues.map(({ code }) => code);
      expect(told, name).toContain("unrecognized_keys");
    }
  });

  test("cost every client fewer than 24,000 bytes in the list", () => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools: toolSpecs.map(mcpToolOf) }));
    process.stdout.write(`tools/list has ${bytes} bytes for ${toolSpecs.length} tools\n`);
    expect(bytes).toBeLessThan(24_000);
  });

  test("describe every argument", () => {
    for (const { name, input } of toolSpecs) {
      for (const [field, schema] of Object.entries(input.shape)) {
        expect(z.globalRegistry.get(schema as z.ZodType)?.description, `${name}.${field}`).toMatch(/.{8,}/);
      }
    }
  });

  test("have outputs whose root is an object without alternatives", () => {
    for (const spec of toolSpecs) {
      const schema = z.toJSONSchema(spec.output, { io: "input" });
      expect(schema.type, spec.name).toBe("object");
      expect(Object.keys(schema), spec.name).not.toContain("anyOf");
    }
  });
});
