/** What a running process is, as far as it can tell; what it cannot is null. */
export interface BuildIdentity {
  version: string;
  /** Git commit that it was built from, and whether files differed from it. */
  commit: string | null;
  dirty: boolean | null;
  buildId: string | null;
  /** Operating system and processor, for example "linux-x64", and the version of Node. */
  target: string;
  runtime: string;
  /** "release" as built; "source" when it runs from its sources. */
  profile: string;
  /** Versions of the link's protocol that it speaks, the oldest first. */
  protocols: { oldest: number; newest: number };
  /** User of the operating system under which it runs. */
  userId: number | null;
  /** Of the file that is run, in hex. */
  sha256: string | null;
}
