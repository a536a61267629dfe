/** One thing that was looked at. Only `fail` keeps somebody from working. */
export interface Finding {
  level: "ok" | "warn" | "fail";
  /** The phone's name, or the part that is meant. */
  subject: string;
  /** What was looked at, in a word that programs can rely on. */
  check: string;
  /** One sentence. */
  message: string;
  /** Which switch to flip, or what to do. */
  fix?: string | undefined;
}

export type PhoneFinding = Omit<Finding, "subject">;
