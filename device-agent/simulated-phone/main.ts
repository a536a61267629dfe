#!/usr/bin/env node
import { parseCommandLine, USAGE, UsageError } from "./command-line.ts";
import { createSimulatedPhone } from "./simulated-phone.ts";

/** The simulated phone as a process of its own. One JSON line on stdout says where it listens; logs go to stderr. */
async function main(argv: readonly string[]): Promise<number | undefined> {
  const options = parseCommandLine(argv);
  if (!options) {
    process.stdout.write(USAGE);
    return 0;
  }
  const phone = createSimulatedPhone({ ...options.phone, log: (line) => void process.stderr.write(`${line}\n`) });
  const { host, port } = await phone.listen({ host: options.host, port: options.port });
  process.stdout.write(
    `${JSON.stringify({ event: "listening", host, port, serial: phone.serial, model: phone.model })}\n`,
  );
  const stop = () => process.exit(0);
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  if (options.exitsWithParent) process.stdin.once("end", stop).once("close", stop).resume();
  return undefined;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`simulated-phone: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError || (error instanceof Error && "code" in error) ? 2 : 1);
}
