import { CodedError, type ErrorCode } from "../../../shared/errors.ts";

/** What the phone's programs and adbd say of a file that cannot be had, by strerror's words. */
const known: { pattern: RegExp; code: ErrorCode; message: string; hint?: string }[] = [
  {
    pattern: /No such file or directory|ENOENT/,
    code: "target_not_found",
    message: "There is no such file on the phone.",
    hint: "List the folder with run_shell: ls -l.",
  },
  {
    pattern: /Is a directory|EISDIR/,
    code: "invalid_argument",
    message: "This is a folder, not a file.",
    hint: "Name a file; run_shell with ls -l lists the folder.",
  },
  {
    pattern: /Not a directory|ENOTDIR/,
    code: "invalid_argument",
    message: "A part of this path is a file, not a folder.",
    hint: "Correct the path; run_shell with ls -l shows what is there.",
  },
  {
    pattern: /No space left|ENOSPC|Disk quota/,
    code: "file_refused",
    message: "The phone's storage is full.",
    hint: "Make room on the phone, then call again.",
  },
  {
    pattern: /Read-only file system|EROFS/,
    code: "file_refused",
    message: "This part of the phone cannot be written.",
  },
  {
    pattern: /Permission denied|Operation not permitted|EACCES|EPERM/,
    code: "file_refused",
    message: "The shell may not touch this file.",
  },
];

/** Turns the text of a failed program or file transfer into one of our sentences. */
export function fileFailure(text: string): CodedError {
  const found = known.find(({ pattern }) => pattern.test(text));
  if (!found) return new CodedError("file_refused", "The phone could not do this with the file.", { cause: text });
  return new CodedError(found.code, found.message, { cause: text, ...(found.hint && { hint: found.hint }) });
}
