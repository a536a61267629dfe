import { connect } from "node:net";

/**
 * How many phones, in whatever state, a running adb server lists; 0 when there is no server. It never starts one.
 * Host protocol: four hex digits of length and a service name; the answer is OKAY, a length and the list.
 */
export function countAdbPhones(address: { host: string; port: number }, timeoutMs = 1_500): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(address);
    let answer = "";
    const finish = (count: number) => {
      socket.destroy();
      resolve(count);
    };
    socket.setTimeout(timeoutMs, () => finish(0));
    socket.on("error", () => finish(0));
    socket.on("connect", () => socket.write("000chost:devices"));
    socket.on("data", (bytes) => {
      answer += bytes.toString("utf8");
    });
    socket.on("end", () => finish(answer.startsWith("OKAY") ? rows(answer.slice(8)) : 0));
  });
}

function rows(list: string): number {
  return list.split("\n").filter((row) => /\t/.test(row)).length;
}
