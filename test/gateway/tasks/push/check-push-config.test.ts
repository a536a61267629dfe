import { expect, test } from "vitest";
import { checkPushConfig } from "../../../../gateway/tasks/push/check-push-config.ts";
import type { PushConfig } from "../../../../gateway/tasks/task-store.ts";
import { CodedError } from "../../../../shared/errors.ts";

const config: PushConfig = {
  id: "c1",
  taskId: "t1",
  url: "https://hooks.example/a?b=c",
  token: null,
  scheme: null,
  credentials: null,
};
const trusted = new Set(["http://127.0.0.1:9000"]);

test.each<Partial<PushConfig>>([
  {},
  { url: "https://8.8.8.8/hook" },
  { url: "https://[2606:4700:4700::1111]:8443/hook" },
  { url: "http://127.0.0.1:9000/hook" },
  { token: "opaque token" },
  { scheme: "Bearer", credentials: "abc.def" },
  { scheme: "Bearer" },
])("takes a webhook that can be called: %j", (change) => {
  expect(() => checkPushConfig({ ...config, ...change }, trusted)).not.toThrow();
});

test.each<Partial<PushConfig>>([
  { url: "" },
  { url: "hooks.example" },
  { url: "http://hooks.example/a" },
  { url: "http://127.0.0.1:9001/hook" },
  { url: "ftp://hooks.example/a" },
  { url: "https://me:secret@hooks.example/" },
  { url: "https://127.0.0.1/" },
  { url: "https://2130706433/" },
  { url: "https://0x7f.1/" },
  { url: "https://169.254.169.254/latest/meta-data/" },
  { url: "https://[::1]/" },
  { url: "https://[::ffff:10.0.0.1]/" },
  { url: "https://[fd00:ec2::254]/" },
  { url: `https://hooks.example/${"a".repeat(3_000)}` },
  { id: "" },
  { id: "with space" },
  { id: "x".repeat(300) },
  { token: "two\r\nX-Header: lines" },
  { token: "" },
  { scheme: "Bearer\r\nX: y", credentials: "a" },
  { scheme: "Bearer", credentials: "a\nb" },
  { credentials: "alone" },
])("refuses a webhook that must not be called, and says which field: %j", (change) => {
  const attempt = () => checkPushConfig({ ...config, ...change }, trusted);
  expect(attempt).toThrow(CodedError);
  expect(attempt).toThrow(/^The push notification configuration does not fit: (url|id|token|authentication)/);
});
