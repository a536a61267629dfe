import { CodedError, type ErrorBody } from "../../shared/errors.ts";

const sentenceCharacters = 1_000;

/** What a device agent says, no longer than a sentence of ours would be. */
export const clip = (text: string) =>
  text.length > sentenceCharacters ? `${text.slice(0, sentenceCharacters)}…` : text;

/** An error that a device agent reported. */
export function reportedError(body: ErrorBody): CodedError {
  return CodedError.fromBody({ ...body, message: clip(body.message), hint: clip(body.hint) });
}
