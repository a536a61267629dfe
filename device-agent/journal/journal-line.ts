import { z } from "zod";
import { errorBodySchema } from "../../shared/errors.ts";
import type { Answer } from "../calls/answer.ts";

/** The journal's lines: `start` before the phone is touched, `answer` afterwards. Unknown kinds are left alone. */
const startLine = z.object({
  kind: z.literal("start"),
  id: z.string(),
  at: z.number(),
  boot: z.string(),
  digest: z.string(),
  principal: z.string(),
  tool: z.string(),
  device: z.string(),
});
export type StartLine = z.infer<typeof startLine>;

const picture = z.object({
  mimeType: z.enum(["image/jpeg", "image/png"]),
  width: z.number(),
  height: z.number(),
  base64: z.string(),
});
const answerLine = z.object({
  kind: z.literal("answer"),
  id: z.string(),
  at: z.number(),
  answer: z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), output: z.record(z.string(), z.unknown()), pictures: z.array(picture) }),
    z.object({ ok: z.literal(false), error: errorBodySchema }),
  ]),
});

export type JournalLine = StartLine | { kind: "answer"; id: string; at: number; answer: Answer };

export function encodeLine(line: JournalLine): string {
  if (line.kind === "start" || !line.answer.ok) return JSON.stringify(line);
  const pictures = line.answer.pictures.map(({ mimeType, width, height, bytes }) => {
    return { mimeType, width, height, base64: Buffer.from(bytes).toString("base64") };
  });
  return JSON.stringify({ ...line, answer: { ok: true, output: line.answer.output, pictures } });
}

/** Undefined for a line that is torn, damaged or of a later version. */
export function decodeLine(text: string): JournalLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const start = startLine.safeParse(value);
  if (start.success) return start.data;
  const parsed = answerLine.safeParse(value);
  if (!parsed.success) return undefined;
  const { answer, ...head } = parsed.data;
  if (!answer.ok) return { ...head, answer };
  const pictures = answer.pictures.map(({ base64, ...rest }) => {
    return { ...rest, bytes: new Uint8Array(Buffer.from(base64, "base64")) };
  });
  return { ...head, answer: { ok: true, output: answer.output, pictures } };
}
