import type { BuildIdentity } from "../../shared/build-identity.ts";

/** What a gateway or a device agent in a test says that it is. */
export const testBuild: BuildIdentity = {
  version: "0.1.0",
  commit: null,
  dirty: null,
  buildId: null,
  target: "linux-x64",
  runtime: "node v20.19.0",
  profile: "source",
  protocols: { oldest: 1, newest: 1 },
  userId: 1000,
  sha256: null,
};
