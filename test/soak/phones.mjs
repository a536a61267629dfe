// The house of the soak: phones as processes of their own, and a real adb server that is killed and started anew.
import { spawn } from "node:child_process";
import { createConnection, createServer } from "node:net";
import { createInterface } from "node:readline";

export async function startPhone(program, number) {
  const size = ["--width", "540", "--height", "1200", "--density", "210"];
  const child = spawn(process.execPath, [program, "--serial", `SIMSOAK${number}`, "--exit-with-parent", ...size], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line);
    if (told.event === "listening") return { serial: told.serial, address: `${told.host}:${told.port}`, child };
  }
  throw new Error("a simulated phone did not start");
}

/** An adb server on a port of its own; the emulators and the USB of this machine are none of its business. */
export async function createAdbServer() {
  const port = await freePort();
  const env = { ...process.env, ADB_LOCAL_TRANSPORT_MAX_PORT: "5554", ADB_LIBUSB: "0" };
  let child;
  const start = async () => {
    child = spawn("adb", ["-P", String(port), "nodaemon", "server"], { stdio: "ignore", env });
    for (let look = 0; look < 100; look++) {
      if (await answers(port)) return;
      await pause(50);
    }
    throw new Error("the adb server did not start");
  };
  const stop = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  await start();
  return {
    port,
    stop,
    connect: (address) => run("adb", ["-P", String(port), "connect", address]),
    async restart() {
      await stop();
      await start();
    },
  };
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
