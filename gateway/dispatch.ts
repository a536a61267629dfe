import { type BuildIdentity, tellBuild } from "../shared/build-identity.ts";
import type { Clock } from "../shared/clock.ts";
import { CodedError, toCodedError } from "../shared/errors.ts";
import { limits } from "../shared/limits.ts";
import type { Logger } from "../shared/log.ts";
import { type FleetTool, parseArguments, type ToolSpec } from "../shared/tools/define-tool.ts";
import { type Audit, redact } from "./audit.ts";
import type { Principal } from "./auth/principal.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Directory, DirectoryDevice } from "./directory.ts";
import type { DirectoryCache } from "./directory-cache.ts";
import { createFleet } from "./fleet.ts";
import type { ProgressReport, Relay, RelayPicture } from "./relay/relay.ts";
import { resolveDevice, visibleDevices } from "./resolve-device.ts";
import { byName, freeChoice, heldChoice, isFreeChoice, tryInTurn, type Wish } from "./seek-device.ts";
import type { TaskService } from "./tasks/task-service.ts";
import { createTasksOfCaller } from "./tasks/tasks-of-caller.ts";

export interface ToolCall {
  principal: Principal;
  tool: string;
  arguments: unknown;
  /** The client's own key for this call, 1–256 characters: repeated, it gives the same answer. */
  idempotencyKey?: string | undefined;
  /** In place of the argument `lease_id` of the tools that have it. */
  leaseId?: string | undefined;
  onProgress?: ((report: ProgressReport) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface ToolAnswer {
  output: Record<string, unknown>;
  pictures: Pick<RelayPicture, "mimeType" | "bytes">[];
}

/** The single path of a tool call: permission, arguments, device, relay, answer, audit. */
export interface Dispatch {
  /** Throws CodedError only. Unknown tools are the caller's business: see `find`. */
  call(request: ToolCall): Promise<ToolAnswer>;
  find(tool: string): ToolSpec | undefined;
  /** What this principal may call, in fixed order. */
  visible(principal: Principal): readonly ToolSpec[];
}

export interface DispatchDeps {
  tools: readonly ToolSpec[];
  fleetTools: readonly FleetTool[];
  digestOf: (spec: ToolSpec) => Promise<string>;
  relay: Relay;
  directory: Pick<Directory, "page">;
  tasks: TaskService;
  cache: Pick<DirectoryCache, "devices">;
  audit: Audit;
  /** What this very gateway is. */
  build: BuildIdentity;
  clock: Clock;
  log: Logger;
  randomId: () => string;
  /** SHA-256 of a text, in hex. */
  hash: (text: string) => string | Promise<string>;
}

/** What the relay and the device agent need to end a call properly after the tool's own time is up. */
const deadlineGraceMs = 2_000;

/** What is found out on the way, for the audit row. */
interface Trace {
  callId: string;
  device: DirectoryDevice | null;
}

interface DeviceToolCall {
  spec: ToolSpec;
  request: ToolCall;
  trace: Trace;
  endsAt: number;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  const { audit, clock, log } = deps;
  const specs = new Map(deps.tools.map((spec) => [spec.name, spec]));
  const fleetTools = new Map(deps.fleetTools.map((tool) => [tool.name, tool]));
  const digests = new Map(deps.tools.map((spec) => [spec.name, deps.digestOf(spec)]));
  // A digest that cannot be made fails the calls that need it, not the process.
  for (const digest of digests.values()) digest.catch(() => {});

  const runFleetTool = async (tool: FleetTool, request: ToolCall, { callId }: Trace): Promise<ToolAnswer> => {
    const { principal, signal, onProgress } = request;
    const tasks = createTasksOfCaller({ tasks: deps.tasks, principal, callId, signal, onProgress });
    const { directory, relay } = deps;
    return tool.handle(createFleet({ principal, directory, relay, tasks, now: clock.now }), request.arguments);
  };

  const callDevice = async (
    { spec, request, trace, endsAt }: DeviceToolCall,
    device: DirectoryDevice,
    args: Record<string, unknown>,
    id: string,
  ): Promise<ToolAnswer> => {
    const { principal, onProgress, signal } = request;
    trace.device = device;
    const call = {
      id,
      tool: spec.name,
      toolDigest: (await digests.get(spec.name)) ?? "",
      effect: spec.effect,
      arguments: args,
      digest: await deps.hash(canonicalJson([spec.name, device.id, args])),
      principal: { tenant: principal.tenant, subject: principal.subject },
      scopes: principal.scopes,
      timeoutMs: Math.max(1, endsAt - clock.now()),
    };
    const target = { deviceAgentId: device.deviceAgentId, deviceKey: device.key };
    return deps.relay.call(target, call, { onProgress, signal });
  };

  const runDeviceTool = async (spec: ToolSpec, request: ToolCall, trace: Trace): Promise<ToolAnswer> => {
    const now = clock.now();
    const { device: wanted, ...args } = parseArguments(spec.input, withLease(spec, request));
    const visible = visibleDevices(deps.cache.devices(), request.principal);
    const call = {
      spec,
      request,
      trace,
      endsAt: now + Math.min(spec.timeoutMs + deadlineGraceMs, limits.callDeadlineMs),
    };
    const sought = seek(spec, { device: wanted, ...args }, visible, request, now);
    if (!sought) {
      const device = resolveDevice(visible, wanted === undefined ? undefined : String(wanted), now);
      return callDevice(call, device, args, trace.callId);
    }
    return tryInTurn(sought, async (device) =>
      // Each phone is asked by a call of its own, the same one when the client repeats its key.
      callDevice(call, device, args, await deps.hash(JSON.stringify([trace.callId, device.id]))),
    );
  };

  const run = async (spec: ToolSpec, request: ToolCall, trace: Trace): Promise<ToolAnswer> => {
    permit(spec, request.principal);
    trace.callId = await callIdOf(request, deps);
    checkSize(request.arguments);
    const fleetTool = fleetTools.get(spec.name);
    const answer = fleetTool
      ? await runFleetTool(fleetTool, request, trace)
      : await runDeviceTool(spec, request, trace);
    const output = spec.output.safeParse({ ...answer.output, ...knownHere(spec, trace, deps.build) });
    if (output.success) return { output: output.data, pictures: answer.pictures };
    throw new TypeError(`The output of ${spec.name} does not fit its schema.`, { cause: output.error });
  };

  return {
    async call(request) {
      const at = clock.now();
      const spec = specs.get(request.tool);
      if (!spec) throw new CodedError("invalid_argument", "There is no such tool.");
      const trace: Trace = { callId: deps.randomId(), device: null };
      const record = (outcome: "ok" | CodedError["code"]) =>
        audit.record({
          at,
          tenant: request.principal.tenant,
          subject: request.principal.subject,
          deviceId: trace.device?.id ?? null,
          tool: spec.name,
          arguments: redact(request.arguments),
          outcome,
          ms: clock.now() - at,
          callId: trace.callId,
        });
      try {
        const answer = await run(spec, request, trace);
        record("ok");
        return answer;
      } catch (thrown) {
        const errorId = deps.randomId();
        const error = withLongerWay(spec, toCodedError(thrown, errorId));
        if (error.code === "internal") {
          log.error("a tool call failed", { errorId, tool: spec.name, callId: trace.callId, cause: thrown });
        }
        record(error.code);
        throw error;
      }
    },
    find: (tool) => specs.get(tool),
    visible: (principal) => deps.tools.filter(({ permission }) => principal.scopes.includes(permission)),
  };
}

/** The phones to ask in turn; undefined when the call means one phone. */
function seek(
  { seeks }: ToolSpec,
  wish: Wish,
  visible: readonly DirectoryDevice[],
  { principal, idempotencyKey }: ToolCall,
  now: number,
): DirectoryDevice[] | undefined {
  if (seeks === "free" && isFreeChoice(wish)) {
    const devices = freeChoice(visible, wish, now);
    // A repeated call must come to the phone that took it, which is no longer free.
    return idempotencyKey === undefined ? devices : byName(devices);
  }
  return seeks === "held" && wish.device === undefined && visible.length > 1
    ? heldChoice(visible, principal, now)
    : undefined;
}

/** Some work takes longer than a client waits for one answer. */
function withLongerWay({ name, taskTimeoutMs }: ToolSpec, error: CodedError): CodedError {
  if (error.code !== "deadline_exceeded" || taskTimeoutMs === undefined) return error;
  return new CodedError(error.code, error.message, {
    hint: `Look at the phone first. For a longer ${name} call ask with it as a step: that answers with a Task, which get_task follows.`,
    cause: error.cause,
  });
}

/** What the gateway alone knows of an answer. */
function knownHere({ seeks, tellsGateway }: ToolSpec, { device }: Trace, build: BuildIdentity) {
  return {
    ...(seeks && device ? { device: device.id, name: device.name } : {}),
    ...(tellsGateway ? { gateway: tellBuild(build) } : {}),
  };
}

function withLease({ input }: ToolSpec, { arguments: args, leaseId }: ToolCall): unknown {
  if (leaseId === undefined || !("lease_id" in input.shape)) return args;
  return { lease_id: leaseId, ...Object(args) };
}

function permit({ name, permission }: ToolSpec, { scopes }: Principal): void {
  if (scopes.includes(permission)) return;
  throw new CodedError("permission_denied", `The token does not carry ${permission}, which ${name} needs.`);
}

function checkSize(args: unknown): void {
  const bytes = new TextEncoder().encode(JSON.stringify(args) ?? "").length;
  if (bytes <= limits.toolArgumentsBytes) return;
  throw new CodedError("too_large", `The arguments are over ${limits.toolArgumentsBytes} bytes.`);
}

/** A repeated key gives the same id, and thereby the stored answer of the first call. */
async function callIdOf({ idempotencyKey, principal }: ToolCall, deps: DispatchDeps): Promise<string> {
  if (idempotencyKey === undefined) return deps.randomId();
  return deps.hash(JSON.stringify([principal.tenant, principal.subject, idempotencyKey]));
}
