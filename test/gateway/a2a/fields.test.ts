import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant, partField, wholeNumber } from "../../../gateway/a2a/fields.ts";
import { matchRoute } from "../../../gateway/a2a/http-json-routes.ts";
import { locate } from "../../../gateway/a2a/locate.ts";
import { tidyProto } from "../../../gateway/a2a/tidy-proto.ts";

describe("an instant", () => {
  it.each([
    ["2026-01-31T10:00:00Z", 0],
    ["2026-01-31T10:00:00.5Z", 500],
    ["2026-01-31T10:00:00.123Z", 123],
    ["2026-01-31T10:00:00.123000000Z", 123],
    ["2026-01-31T10:00:00.123000001Z", 124],
    ["2026-01-31T10:00:00.1239Z", 124],
    ["2026-01-31T12:00:00.999999+02:00", 1_000],
    ["2026-01-31T04:30:00-05:30", 0],
  ])("%s is rounded up to milliseconds", (text, ms) => {
    expect(instant.parse(text)).toBe(Date.UTC(2026, 0, 31, 10) + ms);
  });

  it.each(["2026-01-31", "2026-01-31T10:00:00", "2026-13-01T10:00:00Z", "1769853600", ""])("is not %j", (text) => {
    expect(instant.safeParse(text).success).toBe(false);
  });

  it("is any time that a clock in milliseconds tells", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true }), (date) => {
        expect(instant.parse(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe("bytes in base64", () => {
  it("come in either alphabet, padded or not, and go on in the standard one", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const standard = Buffer.from(bytes).toString("base64");
        for (const raw of [standard, standard.replace(/=+$/, ""), Buffer.from(bytes).toString("base64url")]) {
          expect(partField.parse({ raw })).toEqual({ raw: standard });
        }
      }),
    );
  });
});

describe("a whole number", () => {
  it("comes as a number or as its text", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_147_483_647 }), (number) => {
        expect(wholeNumber(0).parse(number)).toBe(number);
        expect(wholeNumber(0).parse(String(number))).toBe(number);
      }),
    );
    for (const wrong of ["", " 1", "1.0", "0x10", "1e3", true, Number.NaN, null]) {
      expect(wholeNumber(0).safeParse(wrong).success).toBe(false);
    }
  });
});

describe("tidying", () => {
  it("changes nothing that it has tidied, and no free JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = tidyProto(value);
        expect(tidyProto(once)).toEqual(once);
        expect(tidyProto({ metadata: value === "" || value === null ? {} : value, data: value })).toEqual(
          value === "" || value === null ? { metadata: {}, data: value } : { metadata: value, data: value },
        );
      }),
    );
  });
});

describe("an address", () => {
  it("leads to the device it names, whatever the name", () => {
    const names = fc
      .string({ minLength: 1, maxLength: 20, unit: "binary" })
      .filter((name) => ![".", "..", "rest"].includes(name));
    fc.assert(
      fc.property(names, (device) => {
        const at = (rest: string) => locate(new URL(`http://h/a2a/${encodeURIComponent(device)}${rest}`).pathname);
        expect(at("")).toEqual({ kind: "json-rpc", device, path: [] });
        expect(at("/")).toEqual(at(""));
        expect(at("/rest/tasks/a%2Fb")).toEqual({ kind: "http-json", device, path: ["tasks", "a/b"] });
        expect(at("/agent-card.json")).toEqual({ kind: "card", device, path: [] });
      }),
    );
  });

  it.each(["/a2a//rest", "/a2a/x/y", "/a2a/x/agent-card.json/y", "/a2a/%ff"])("%s is none", (path) => {
    expect(locate(path)).toBeNull();
  });
});

describe("a route with an id", () => {
  it("finds the id again", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), (id) => {
        expect(matchRoute("POST", ["tasks", `${id}:cancel`])).toEqual({ method: "CancelTask", params: { id } });
        const hooks = matchRoute("GET", ["tasks", id, "pushNotificationConfigs", id]);
        expect(hooks).toEqual({ method: "GetTaskPushNotificationConfig", params: { taskId: id, id } });
      }),
    );
  });
});
