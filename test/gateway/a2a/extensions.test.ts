import { describe, expect, it } from "vitest";
import { activateExtensions, servedExtensions } from "../../../gateway/a2a/extensions.ts";

const required = { uri: "urn:must", description: "", required: true };
const optional = { uri: "urn:may", description: "", required: false };

describe("extensions", () => {
  it("are in use when they are asked for and served", () => {
    expect(activateExtensions("urn:may ,urn:other,,urn:must", [required, optional])).toEqual(["urn:must", "urn:may"]);
    expect(activateExtensions(null, [optional])).toEqual([]);
  });

  it("that are required refuse whoever does not ask for them", () => {
    for (const header of [null, "", "urn:may"]) {
      expect(() => activateExtensions(header, [required, optional])).toThrow(
        expect.objectContaining({ kind: "extensionRequired", metadata: { uri: "urn:must" } }),
      );
    }
  });

  it("of ours are required of nobody", () => {
    expect(servedExtensions.some((extension) => extension.required)).toBe(false);
  });
});
