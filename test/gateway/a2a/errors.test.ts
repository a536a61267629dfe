import { describe, expect, it } from "vitest";
import { faultOfCode, tellFault } from "../../../gateway/a2a/errors.ts";
import { CodedError, errorCodes } from "../../../shared/errors.ts";
import { httpError, rpcError } from "./support/proto.ts";

/** A2A 1.0.1, section 5.4, and JSON-RPC 2.0. */
const protocolNumbers = new Map([
  ["TASK_NOT_FOUND", [-32001, 404]],
  ["TASK_NOT_CANCELABLE", [-32002, 400]],
  ["UNSUPPORTED_OPERATION", [-32004, 400]],
  ["INVALID_PARAMS", [-32602, 400]],
  ["INTERNAL_ERROR", [-32603, 500]],
]);

describe("every error of ours in A2A", () => {
  it("has a place in the table", () => {
    expect(Object.keys(faultOfCode).sort()).toEqual([...errorCodes].sort());
  });

  it.each(errorCodes)("%s is told with number, status, reason and what to do next", (code) => {
    const told = tellFault(new CodedError(code, "It went wrong.", { retryAfterMs: 1_500 }), "e1");
    const data = { code: told.kind.number, message: told.message, data: told.details };
    rpcError.parse({ jsonrpc: "2.0", id: 1, error: data });
    const { httpStatus, message, details } = told;
    httpError.parse({ error: { code: httpStatus, status: told.kind.status, message, details } });

    const [info, retry] = details as [{ reason: string; domain: string; metadata: object }, object];
    expect(info.metadata).toEqual({ code, hint: new CodedError(code, "").hint });
    expect(retry).toMatchObject({ retryDelay: "1.5s" });
    const protocol = protocolNumbers.get(info.reason);
    expect(info.domain).toBe(protocol ? "a2a-protocol.org" : "farhand");
    if (protocol) expect([told.kind.number, httpStatus]).toEqual(protocol);
    else expect(info.reason).toBe(code.toUpperCase());
  });

  it("tells a fault of ours by a fixed text and its id, and nothing of it", () => {
    const told = tellFault(new Error("password=hunter2"), "e-4711");
    expect(told.message).toContain("e-4711");
    expect(JSON.stringify(told)).not.toContain("hunter2");
    expect([told.kind.number, told.httpStatus]).toEqual([-32603, 500]);
  });
});
