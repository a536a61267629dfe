import { expect, test } from "vitest";
import { toLinkUrl } from "../../../device-agent/link/gateway-url.ts";

test.each([
  ["https://gateway.example", "wss://gateway.example/link"],
  ["https://gateway.example/", "wss://gateway.example/link"],
  ["wss://gateway.example:8443/link", "wss://gateway.example:8443/link"],
  ["https://example.com/farhand/", "wss://example.com/farhand/link"],
  ["http://127.0.0.1:8765", "ws://127.0.0.1:8765/link"],
  ["http://localhost:8765", "ws://localhost:8765/link"],
  ["ws://[::1]:8765", "ws://[::1]:8765/link"],
])("dials the link of %s", (given, dialled) => {
  expect(toLinkUrl(given, false)).toBe(dialled);
});

test.each(["http://gateway.example", "ws://192.168.1.5:8765", "http://127.0.0.1.example.com"])(
  "refuses to show the token to the network: %s",
  (given) => {
    expect(() => toLinkUrl(given, false)).toThrow("--allow-insecure-http");
  },
);

test("dials without TLS when that is asked for", () => {
  expect(toLinkUrl("http://192.168.1.5:8765", true)).toBe("ws://192.168.1.5:8765/link");
});

test.each([
  "gateway.example",
  "ftp://gateway.example",
  "",
  "https://user:secret@gateway.example",
  "https://g.example?a=1",
])("refuses what is no plain address: %s", (given) => {
  expect(() => toLinkUrl(given, true)).toThrow(/gateway's address must/);
});
