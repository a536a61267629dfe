import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import {
  type FileReport,
  type FileStreamArguments,
  type FileStreamKind,
  fileStreamSchemas,
} from "../../shared/link/file-streams.ts";
import type { Audit } from "../audit/audit.ts";
import type { StreamSource } from "../link/streams.ts";
import type { Spool } from "./spool.ts";

interface FileStreamsDeps {
  spool: Spool;
  audit: Audit;
  clock: Clock;
}

type Work<K extends FileStreamKind> = (
  args: FileStreamArguments<K>,
  incoming: AsyncIterable<Uint8Array>,
) => AsyncIterable<Uint8Array>;

/** The spool as the gateway reaches it. Each stream leaves a line in the audit, under its kind. */
export function createFileStreams(deps: FileStreamsDeps): Record<FileStreamKind, StreamSource> {
  const { spool } = deps;
  // Bringing files is for what push_file is for; what lies here already belongs to its owner, phone or no phone.
  const upload = { permission: "device:danger" } as const;
  const own = { permission: "screen:read", withoutPhone: true } as const;
  return {
    file_create: {
      ...upload,
      read: audited(deps, "file_create", async function* (args, incoming) {
        const { principal: owner, name, mediaType, bytes, sha256 } = args;
        const file = { owner, name, mediaType, bytes, sha256 };
        yield told(args.whole ? await spool.take(file, incoming) : await spool.create(file));
      }),
    },
    file_append: {
      ...upload,
      read: audited(deps, "file_append", async function* ({ principal, file, offset }, incoming) {
        yield told(await spool.append(principal, file, offset, incoming));
      }),
    },
    file_read: {
      ...own,
      read: audited(deps, "file_read", ({ principal, file, offset, length }) =>
        spool.read(principal, file, { offset, length }),
      ),
    },
    file_report: {
      ...own,
      read: audited(deps, "file_report", async function* ({ principal, file }) {
        yield told(spool.report(principal, file));
      }),
    },
    file_remove: {
      ...own,
      // biome-ignore lint/correctness/useYield: it answers with no bytes
      read: audited(deps, "file_remove", async function* ({ principal, file }) {
        await spool.remove(principal, file);
      }),
    },
  };
}

const told = (report: FileReport) => new TextEncoder().encode(JSON.stringify(report));

function audited<K extends FileStreamKind>(
  { audit, clock }: FileStreamsDeps,
  kind: K,
  work: Work<K>,
): StreamSource["read"] {
  return async function* (request, _signal, incoming) {
    const at = clock.now();
    const args = readArguments(kind, request.arguments);
    const { principal, callId, ...rest } = args;
    // What became of it when the gateway goes away in the middle.
    let outcome = "canceled";
    try {
      yield* work(args, incoming);
      outcome = "ok";
    } catch (thrown) {
      outcome = thrown instanceof CodedError ? thrown.code : "internal";
      throw thrown;
    } finally {
      audit.record({
        at,
        callId,
        principal: `${principal.tenant}/${principal.subject}`,
        device: request.device,
        tool: kind,
        arguments: rest,
        outcome,
        ms: clock.now() - at,
      });
    }
  };
}

function readArguments<K extends FileStreamKind>(kind: K, raw: unknown): FileStreamArguments<K> {
  const parsed = fileStreamSchemas[kind].safeParse(raw);
  if (parsed.success) return parsed.data as FileStreamArguments<K>;
  throw new CodedError("unsupported", "The device agent cannot read what the gateway asks of it.", {
    hint: "Update the device agent, or the gateway.",
    cause: parsed.error,
  });
}
