import { expect, test } from "vitest";
import { redactKnown, redactSecrets } from "../../../gateway/tasks/redact-secrets.ts";

const secret = "s3cret-token-0123456789";
const jwt = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJvd25lciJ9.c2lnbmF0dXJl";

test("a token in force here is blackened wherever it stands", () => {
  const told = redactKnown({ parts: [{ text: `use ${secret}` }, { data: { deep: [secret] } }] }, [secret, ""]);
  expect(told).toEqual({ parts: [{ text: "use [redacted]" }, { data: { deep: ["[redacted]"] } }] });
});

test("what a client wants to have typed stays as it is, though it looks like a token", () => {
  const steps = { data: { steps: [{ tool: "type_text", arguments: { text: `Bearer ${jwt}` } }] } };
  expect(redactKnown(steps, [secret])).toEqual(steps);
});

test("what is told loses anything that looks like a token, and nothing else", () => {
  expect(redactSecrets(`Authorization: Bearer ${jwt}; ${jwt}`, [])).toBe("Authorization: [redacted]; [redacted]");
  expect(redactSecrets(["bearer of news", 7, null, true, "eyJ.eyJ.x"], [])).toEqual([
    "bearer of news",
    7,
    null,
    true,
    "eyJ.eyJ.x",
  ]);
});

test("bytes of a picture are never touched", () => {
  expect(redactSecrets({ raw: secret, mediaType: "image/png" }, [secret])).toMatchObject({ raw: secret });
});

test.each([
  ["beginnings of tokens", "eyJ-"],
  ["headers", "bearer "],
  ["blanks", " "],
])("a megabyte of %s is looked through in one go", (_, text) => {
  const long = `Bearer${text.repeat(1_000_000 / text.length)}`;
  expect(redactSecrets(long, []) === long).toBe(true);
});
