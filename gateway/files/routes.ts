import { type Context, Hono } from "hono";
import { CodedError, type ErrorCode, toCodedError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { Audit } from "../audit.ts";
import type { Authenticator, Principal } from "../auth/principal.ts";
import { type AuthEnv, requireAuth } from "../auth/require-auth.ts";
import { errorResponse } from "../error-response.ts";
import { readRange } from "./byte-range.ts";
import { readNewFile, readPiece } from "./requests.ts";
import {
  contentHeaders,
  etagOf,
  fileErrorResponse,
  fileResponse,
  progressResponse,
  unsatisfiable,
} from "./responses.ts";
import { type Caller, createTransfers, type OwnFile, type Transfers, type TransfersDeps } from "./transfers.ts";

export interface FileRoutesDeps extends TransfersDeps {
  authenticator: Authenticator;
  audit: Audit;
  log: Logger;
  publicUrl: string;
  draining: () => boolean;
}

/** One request: who asks, and what is found out for the audit row. */
interface Exchange extends Caller {
  request: Request;
  deviceId: string | null;
  told: Record<string, unknown>;
}

type Serve = (exchange: Exchange, id: string) => Promise<Response>;

/**
 * `/files`: files for phones, each kept by the device agent of the phone for 24 hours, for its uploader alone. A token of
 * the header `Authorization`; uploads need `device:danger`.
 *
 * - `POST /files?device=&name=&sha256=` with the file as the body: 201 with the file as JSON. All parameters may be left
 *   out; `Content-Type` is kept.
 * - `POST /files?bytes=N` without a body: 201, and the file comes in pieces within an hour of each other:
 *   `PUT /files/<id>` with `Content-Range: bytes FIRST-LAST/N`. A piece may begin anywhere in what is there; `HEAD` tells
 *   how far that is (`Upload-Offset`), after a lost connection too. The last byte completes the file: `complete` is true
 *   and `sha256` is told.
 * - `GET /files/<id>`: its bytes, or a `Range` of them. `DELETE /files/<id>`: 204.
 */
export function fileRoutes(deps: FileRoutesDeps): Hono<AuthEnv> {
  const transfers = createTransfers(deps);
  const routes = new Hono<AuthEnv>({ strict: false });
  const serve = (serving: Serve) => (c: Context<AuthEnv>) => answer(deps, c, serving);
  routes.use(requireAuth(deps.authenticator));

  routes.post(
    "/",
    serve(async (exchange) => {
      permitUpload(exchange.principal);
      const { device: wanted, file } = readNewFile(exchange.request);
      const device = transfers.device(exchange, wanted);
      exchange.deviceId = device.id;
      const report = await transfers.create(exchange, device, file, exchange.request.body);
      exchange.told = { file_id: report.id, bytes: report.bytes };
      return fileResponse(201, report, device.id, { location: `${deps.publicUrl}/files/${report.id}` });
    }),
  );
  routes.put(
    "/:id",
    serve(async (exchange, id) => {
      permitUpload(exchange.principal);
      const file = await find(transfers, exchange, id);
      const piece = readPiece(exchange.request, file.row);
      exchange.told = { file_id: id, offset: piece.offset, bytes: piece.length };
      const report = await transfers.append(exchange, file, piece, exchange.request.body);
      return fileResponse(200, report, file.device.id);
    }),
  );
  // HEAD comes here too.
  routes.get(
    "/:id",
    serve(async (exchange, id) => download(transfers, exchange, await find(transfers, exchange, id))),
  );
  routes.delete(
    "/:id",
    serve(async (exchange, id) => {
      await transfers.remove(exchange, await find(transfers, exchange, id));
      return new Response(null, { status: 204 });
    }),
  );
  routes.all("/", () => notAllowed("POST, OPTIONS"));
  routes.all("/:id", () => notAllowed("GET, HEAD, PUT, DELETE, OPTIONS"));
  return routes;
}

async function download(transfers: Transfers, exchange: Exchange, file: OwnFile): Promise<Response> {
  const { request } = exchange;
  // An upload may have been completed without our hearing of it.
  const report = file.row.sha256 === null ? await transfers.report(exchange, file) : undefined;
  const sha256 = report ? report.sha256 : file.row.sha256;
  if (sha256 === null) {
    if (request.method === "HEAD" && report) return progressResponse(report);
    throw new CodedError("invalid_argument", "The upload is not complete.", {
      hint: "HEAD tells how far it is; send the rest with PUT.",
    });
  }
  const headers = contentHeaders(file.row, sha256);
  const { bytes } = file.row;
  if (request.method === "HEAD") return new Response(null, { headers: { ...headers, "content-length": `${bytes}` } });
  const condition = request.headers.get("if-range");
  const isSame = condition === null || condition === etagOf(sha256);
  const range = isSame ? readRange(request.headers.get("range") ?? undefined, bytes) : null;
  if (range === "unsatisfiable") return unsatisfiable(bytes);
  const { offset, length } = range ?? { offset: 0, length: bytes };
  exchange.told = { ...exchange.told, offset, bytes: length };
  const body = await transfers.read(exchange, file, { offset, length });
  headers["content-length"] = String(length);
  if (!range) return new Response(body, { headers });
  headers["content-range"] = `bytes ${offset}-${offset + length - 1}/${bytes}`;
  return new Response(body, { status: 206, headers });
}

async function find(transfers: Transfers, exchange: Exchange, id: string): Promise<OwnFile> {
  exchange.told = { file_id: id.slice(0, 80) };
  const file = await transfers.find(exchange, id);
  exchange.deviceId = file.device.id;
  return file;
}

/** The one place that turns what was thrown into an answer; every request leaves an audit row. */
async function answer(deps: FileRoutesDeps, c: Context<AuthEnv>, serving: Serve): Promise<Response> {
  const { audit, clock, log, randomId } = deps;
  const at = clock.now();
  const principal = c.get("principal");
  const { signal } = c.req.raw;
  const asked = { principal, request: c.req.raw, signal, callId: randomId() };
  const exchange: Exchange = { ...asked, deviceId: null, told: {} };
  const record = (outcome: "ok" | ErrorCode) => {
    const { callId, deviceId, told } = exchange;
    const { tenant, subject } = principal;
    const tool = `${c.req.method} /files`;
    audit.record({ at, tenant, subject, deviceId, tool, arguments: told, outcome, ms: clock.now() - at, callId });
  };
  try {
    if (deps.draining()) throw new CodedError("device_offline", "The gateway stops.", { retryAfterMs: 2_000 });
    const response = await serving(exchange, c.req.param("id") ?? "");
    record("ok");
    return response;
  } catch (thrown) {
    const errorId = randomId();
    const error = toCodedError(thrown, errorId);
    const about = { errorId, callId: exchange.callId, code: error.code, cause: thrown };
    if (error.code === "internal") log.error("a file request failed", about);
    else log.debug("a file request was refused", about);
    record(error.code);
    return fileErrorResponse(error);
  }
}

function permitUpload(principal: Principal): void {
  if (principal.scopes.includes("device:danger")) return;
  throw new CodedError("permission_denied", "Uploads need the permission device:danger.", {
    hint: "Ask the operator for a token with device:danger.",
  });
}

async function notAllowed(allow: string): Promise<Response> {
  const error = new CodedError("invalid_argument", "Method not allowed.", { hint: `Use ${allow}.` });
  return errorResponse(405, error, { allow });
}
