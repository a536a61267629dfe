import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Logger } from "../../shared/log.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import { tokenChallenge } from "../auth/challenge.ts";
import { type Authenticator, type Principal, readBearer } from "../auth/principal.ts";
import type { DirectoryDevice } from "../directory.ts";
import type { DirectoryCache } from "../directory-cache.ts";
import type { Dispatch } from "../dispatch.ts";
import { readBody } from "../read-body.ts";
import { resolveDevice, visibleDevices } from "../resolve-device.ts";
import type { TaskService } from "../tasks/task-service.ts";
import { agentCard } from "./agent-card.ts";
import { createCardResponse } from "./card-response.ts";
import { createTeller } from "./errors.ts";
import { stops } from "./event-stream.ts";
import { activateExtensions, extensionsHeader, servedExtensions } from "./extensions.ts";
import { Fault } from "./faults.ts";
import { createHttpJsonBinding } from "./http-json.ts";
import { createJsonRpcBinding } from "./json-rpc.ts";
import { locate, type Place } from "./locate.ts";
import { type Operations, unary } from "./operations.ts";
import { Refusal } from "./refusal.ts";
import { noParams } from "./requests.ts";
import { sendOperations } from "./send-operations.ts";
import { createStopBell } from "./stop-bell.ts";
import { taskOperations } from "./task-operations.ts";
import { protocolVersion, versionHeader } from "./version.ts";

export interface A2aDeps {
  tasks: TaskService;
  authenticator: Authenticator;
  dispatch: Pick<Dispatch, "visible">;
  /** All there are, for the public card. */
  tools: readonly ToolSpec[];
  cache: Pick<DirectoryCache, "devices">;
  clock: Clock;
  log: Logger;
  randomId: () => string;
  /** SHA-256 of a text, in hex. */
  hash: (text: string) => string | Promise<string>;
  version: string;
  publicUrl: string;
  /** How long SendMessage waits for the end of a Task. */
  sendWaitMs: number;
  /** Aborts at the first sign of stopping: nothing new is taken, and open streams end. */
  stopping: AbortSignal;
}

export interface A2aEndpoint {
  /** Everything under `/a2a`. */
  serve(request: Request): Promise<Response>;
  /** The card that anybody may read; it names no device. */
  publicCard(request: Request): Promise<Response>;
}

/** A2A 1.0.1 on both bindings. Nothing is kept between two requests. */
export function createA2aEndpoint(deps: A2aDeps): A2aEndpoint {
  const { clock } = deps;
  const stopBell = createStopBell(deps.stopping);
  const cardResponse = createCardResponse({ changedAt: clock.now(), hash: deps.hash });
  const operations = { ...sendOperations(deps), ...taskOperations(deps), ...cardOperation(deps) };
  const binding = { operations, clock, stopBell, tell: createTeller(deps) };
  const jsonRpc = createJsonRpcBinding(binding);
  const httpJson = createHttpJsonBinding({ ...binding, cardResponse });

  const admit = async (request: Request, place: Place): Promise<Response> => {
    requireHttpMethod(request, place);
    if (Number(request.headers.get("content-length") ?? 0) > limits.a2aBodyBytes) throw tooLarge();
    const authenticate = () => authenticated(deps.authenticator, request);
    const principal = await authenticate();
    if (stopBell.hasRung()) throw new Refusal(stops(), 503, { "retry-after": "2" });
    const device = deviceOf(deps, place, principal);
    if (place.kind === "card") {
      return cardResponse(request, agentCard({ ...deps, device }), { scope: "private" });
    }
    const body = await readBody(request, limits.a2aBodyBytes);
    if (!body) throw tooLarge();
    const stillValid = () => authenticate().then(Boolean, isNotRefused);
    const exchange = { request, body, principal, device, stillValid };
    return place.kind === "json-rpc" ? jsonRpc.serve(exchange) : httpJson.serve(exchange, place.path);
  };

  return {
    async serve(request) {
      const place = locate(new URL(request.url).pathname);
      const { refuse } = place?.kind === "json-rpc" ? jsonRpc : httpJson;
      const answer = place ? admit(request, place) : Promise.reject(nothingHere());
      return signed(request, await answer.catch((thrown: unknown) => refuse(request, thrown)));
    },
    async publicCard(request) {
      return signed(request, await cardResponse(request, agentCard({ ...deps, device: null }), { scope: "public" }));
    },
  };
}

function cardOperation(deps: A2aDeps): Pick<Operations, "GetExtendedAgentCard"> {
  return {
    GetExtendedAgentCard: unary(null, noParams, async ({ principal, device }) => {
      const devices = device ? [device] : visibleDevices(deps.cache.devices(), principal);
      return agentCard({ ...deps, tools: deps.dispatch.visible(principal), device, devices });
    }),
  };
}

/** The device that an address names. Throws a Refusal when this principal has none such. */
function deviceOf({ cache, clock }: A2aDeps, { device }: Place, principal: Principal): DirectoryDevice | null {
  if (device === null) return null;
  try {
    return resolveDevice(visibleDevices(cache.devices(), principal), device, clock.now());
  } catch (thrown) {
    if (thrown instanceof CodedError && thrown.code === "device_not_found") throw new Refusal(thrown, 404);
    throw thrown;
  }
}

/** Every answer tells the version, and which of the extensions that were asked for are in use. */
function signed(request: Request, response: Response): Response {
  response.headers.set(versionHeader, protocolVersion);
  const active = activateExtensions(request.headers.get(extensionsHeader), optional);
  if (active.length > 0) response.headers.set(extensionsHeader, active.join(", "));
  return response;
}

const optional = servedExtensions.map((extension) => ({ ...extension, required: false }));

/** Whose token it is. Throws a Refusal with the challenge of RFC 6750. */
async function authenticated(authenticator: Authenticator, request: Request): Promise<Principal> {
  const bearer = readBearer(request.headers.get("authorization"));
  const principal = "token" in bearer ? await authenticator.authenticate(bearer.token) : null;
  if (principal) return principal;
  const { error, challenge } = tokenChallenge("problem" in bearer ? bearer.problem : "invalid");
  throw new Refusal(error, 401, { "www-authenticate": challenge });
}

function isNotRefused(thrown: unknown): boolean {
  if (thrown instanceof Refusal) return false;
  throw thrown;
}

/** HTTP+JSON has a method of its own for each of its paths. */
function requireHttpMethod({ method }: Request, { kind }: Place): void {
  const allowed = { "json-rpc": ["POST"], card: ["GET", "HEAD"], "http-json": [method] }[kind];
  if (allowed.includes(method)) return;
  const fault = new Fault("notARequest", `This address takes ${allowed.join(" and ")} only.`);
  throw new Refusal(fault, 405, { allow: [...allowed, "OPTIONS"].join(", ") });
}

const tooLarge = () =>
  new Refusal(
    new CodedError("too_large", `The body is over ${limits.a2aBodyBytes} bytes.`, {
      hint: "Upload larger files with POST /files.",
    }),
    413,
  );
const nothingHere = () => new Refusal(new Fault("noSuchMethod", "There is nothing at this path."), 404);
