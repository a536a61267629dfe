import fc from "fast-check";
import { expect, test } from "vitest";
import { attachment } from "../../../gateway/files/content-disposition.ts";

test("a name keeps its letters for clients that can read them", () => {
  expect(attachment("Ünit's (1).apk")).toBe(
    `attachment; filename="_nit's (1).apk"; filename*=UTF-8''%C3%9Cnit%27s%20%281%29.apk`,
  );
});

test("no name breaks the header, and every name can be read from it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const header = attachment(name);
      expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~!%-]*$/);
      expect(header.split('"')).toHaveLength(3);
      expect(decodeURIComponent(header.split("UTF-8''")[1] ?? "")).toBe(Buffer.from(name).toString());
    }),
  );
  expect(attachment("\ud800.txt")).toContain("%EF%BF%BD.txt");
});
