import { A2A_ERROR_CODE, A2A_ERROR_DOMAIN } from "@a2a-js/sdk/errors";

/** HTTP statuses of google.rpc codes, as HTTP+JSON answers with them. */
export const httpStatusOf = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

export interface FaultKind {
  /** The JSON-RPC error code. */
  number: number;
  /** The google.rpc code. */
  status: keyof typeof httpStatusOf;
  /** Whose `reason` it is: the protocol's, by this name, or ours, by the name of the error's own code. */
  reason: string | null;
}

const of = (number: number, status: FaultKind["status"], reason: string | null = null): FaultKind => ({
  number,
  status,
  reason,
});

/** Of ours, beside the protocol's numbers; -32000 is left to servers. */
const refused = -32000;

/**
 * Every way in which a request fails (A2A 1.0.1, sections 3.3.2, 5.4, 9.5 and 11.6). The numbers of the protocol's own
 * errors come from the SDK.
 */
export const faultKinds = {
  notJson: of(A2A_ERROR_CODE.PARSE_ERROR, "INVALID_ARGUMENT", "PARSE_ERROR"),
  notARequest: of(A2A_ERROR_CODE.INVALID_REQUEST, "INVALID_ARGUMENT", "INVALID_REQUEST"),
  noSuchMethod: of(A2A_ERROR_CODE.METHOD_NOT_FOUND, "NOT_FOUND", "METHOD_NOT_FOUND"),
  invalidParams: of(A2A_ERROR_CODE.INVALID_PARAMS, "INVALID_ARGUMENT", "INVALID_PARAMS"),
  internal: of(A2A_ERROR_CODE.INTERNAL_ERROR, "INTERNAL", "INTERNAL_ERROR"),
  taskNotFound: of(A2A_ERROR_CODE.TASK_NOT_FOUND, "NOT_FOUND", "TASK_NOT_FOUND"),
  taskNotCancelable: of(A2A_ERROR_CODE.TASK_NOT_CANCELABLE, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"),
  unsupportedOperation: of(A2A_ERROR_CODE.UNSUPPORTED_OPERATION, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"),
  contentType: of(A2A_ERROR_CODE.CONTENT_TYPE_NOT_SUPPORTED, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED"),
  extensionRequired: of(A2A_ERROR_CODE.EXTENSION_SUPPORT_REQUIRED, "FAILED_PRECONDITION", "EXTENSION_SUPPORT_REQUIRED"),
  version: of(A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED"),

  unauthenticated: of(refused, "UNAUTHENTICATED"),
  denied: of(refused, "PERMISSION_DENIED"),
  /** The phone, or something on it, is not as the request needs it. */
  precondition: of(refused, "FAILED_PRECONDITION"),
  canceled: of(refused, "CANCELLED"),
  noSuchDevice: of(A2A_ERROR_CODE.INVALID_PARAMS, "NOT_FOUND"),
  tooLarge: of(A2A_ERROR_CODE.INVALID_REQUEST, "INVALID_ARGUMENT"),
  // Section 3.3.2 gives the internal error as JSON-RPC's word for what may go well later.
  later: of(A2A_ERROR_CODE.INTERNAL_ERROR, "UNAVAILABLE"),
  tooMany: of(A2A_ERROR_CODE.INTERNAL_ERROR, "RESOURCE_EXHAUSTED"),
  tooSlow: of(A2A_ERROR_CODE.INTERNAL_ERROR, "DEADLINE_EXCEEDED"),
  failed: of(A2A_ERROR_CODE.INTERNAL_ERROR, "INTERNAL"),
  unknownOutcome: of(A2A_ERROR_CODE.INTERNAL_ERROR, "UNKNOWN"),
} as const satisfies Record<string, FaultKind>;

/** The `domain` of an ErrorInfo: who defines its `reason`. */
export const faultDomain = ({ reason }: FaultKind) => (reason === null ? "farhand" : A2A_ERROR_DOMAIN);

export interface FieldViolation {
  /** A path such as `message.parts[0].raw`. */
  field: string;
  description: string;
}

export interface FaultDetails {
  /** For the client's program; values that we validated or made. */
  metadata?: Record<string, string>;
  violations?: readonly FieldViolation[];
}

/** A request that the protocol itself refuses, in words that we wrote. Everything else is a CodedError. */
export class Fault extends Error {
  readonly kind: keyof typeof faultKinds;
  readonly metadata: Record<string, string>;
  readonly violations: readonly FieldViolation[];

  constructor(kind: keyof typeof faultKinds, message: string, { metadata = {}, violations = [] }: FaultDetails = {}) {
    super(message);
    this.name = "Fault";
    this.kind = kind;
    this.metadata = metadata;
    this.violations = violations;
  }
}

/** The one sentence and the list of what is wrong with the parameters. */
export function invalidParams(violations: readonly FieldViolation[]): Fault {
  const told = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  return new Fault("invalidParams", `Invalid parameters: ${told}.`, { violations });
}
