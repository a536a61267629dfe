import { createInterface } from "node:readline";
import { createClient } from "@libsql/client";

/**
 * Another program that holds the database's write lock, as a backup does, from its first line on stdout until its stdin
 * ends. Then it prints how often a timer of 5 ms went off meanwhile: a measure of how fast this machine is just now.
 */
const [url = ""] = process.argv.slice(2);
const client = createClient({ url, concurrency: 1, timeout: 5_000 });
const transaction = await client.transaction("write");
let ticks = 0;
setInterval(() => ticks++, 5);
process.stdout.write("locked\n");
for await (const _ of createInterface({ input: process.stdin })) {
  // Nothing is asked of it.
}
await transaction.commit();
client.close();
process.stdout.write(`${ticks}\n`, () => process.exit(0));
