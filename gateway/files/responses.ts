import { CodedError } from "../../shared/errors.ts";
import type { FileReport } from "../../shared/link/file-streams.ts";
import { errorResponse } from "../error-response.ts";
import { httpStatus } from "../http-status.ts";
import { attachment } from "./content-disposition.ts";
import type { FileRow } from "./files.ts";

/** How far an upload is, by the names of the IETF's resumable uploads. */
const progressHeaders = (bytes: number, received: number, isWhole: boolean) => ({
  "upload-offset": String(received),
  "upload-length": String(bytes),
  "upload-complete": isWhole ? "?1" : "?0",
});

/** A file as JSON. `received` of its `bytes` are there; `sha256` is null until it is complete. */
export function fileResponse(
  status: 200 | 201,
  report: FileReport,
  deviceId: string,
  headers: Record<string, string> = {},
): Response {
  const { id, name, mediaType, bytes, received, sha256, expiresAt } = report;
  const complete = sha256 !== null;
  const told = { id, device: deviceId, name, media_type: mediaType, bytes, received, complete, sha256 };
  return Response.json(
    { ...told, expires_at: new Date(expiresAt).toISOString() },
    { status, headers: { "cache-control": "no-store", ...progressHeaders(bytes, received, complete), ...headers } },
  );
}

/** The answer to HEAD for an upload that is not complete. */
export function progressResponse({ bytes, received }: FileReport): Response {
  const headers = { "cache-control": "no-store", ...progressHeaders(bytes, received, false) };
  return new Response(null, { headers });
}

export const etagOf = (sha256: string) => `"${sha256}"`;

/** Headers of a whole file's bytes: kept by no cache, and never shown as a page of ours. */
export function contentHeaders({ name, mediaType, bytes }: FileRow, sha256: string): Record<string, string> {
  return {
    "content-type": mediaType,
    "content-disposition": attachment(name),
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    "accept-ranges": "bytes",
    etag: etagOf(sha256),
    ...progressHeaders(bytes, bytes, true),
  };
}

/** 416: none of the bytes asked for are there. */
export function unsatisfiable(bytes: number): Response {
  const error = new CodedError("invalid_argument", `The file has ${bytes} bytes; the range is behind its end.`);
  return errorResponse(416, error, { "content-range": `bytes */${bytes}` });
}

const retryLater = 5_000;

export function fileErrorResponse(error: CodedError): Response {
  const status = httpStatus[error.code];
  const headers: Record<string, string> = {};
  if (status === 503 || status === 429) {
    headers["retry-after"] = String(Math.ceil((error.retryAfterMs ?? retryLater) / 1_000));
  }
  if (error.code === "permission_denied") {
    headers["www-authenticate"] = 'Bearer error="insufficient_scope", scope="device:danger"';
  }
  return errorResponse(status, error, headers);
}
