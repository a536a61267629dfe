import { connect } from "node:net";
import { joinStreams } from "../phone/duplex-stream.ts";
import { framebufferService } from "./framebuffer-service.ts";
import { reverseService } from "./reverse-service.ts";
import type { Service, ServiceRequest } from "./service.ts";
import { execService, isHangUp, shellService } from "./shell-service.ts";
import { socketStream } from "./socket-stream.ts";
import { syncService } from "./sync-service.ts";

/** Says something and closes, as adbd does before it restarts itself. */
const saying =
  (text: (argument: string) => string, then?: (request: ServiceRequest) => void): Service =>
  async (request) => {
    const stream = request.incoming.accept();
    const message = text(request.argument);
    if (message !== "") await stream.write(Buffer.from(message));
    await stream.end();
    then?.(request);
  };

const rebootService: Service = async ({ argument, incoming, phone }) => {
  await incoming.accept().end();
  phone.reboot(argument);
};

const tcpService: Service = async ({ argument, incoming }) => {
  const port = Number(argument.split(":")[0]);
  const socket = connect({ port, host: "127.0.0.1" });
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  if (!isConnected) return incoming.refuse();
  await joinStreams(incoming.accept(), socketStream(socket));
};

const localService: Service = async ({ argument, incoming, phone }) => {
  if (!phone.sockets.isListening(argument)) return incoming.refuse();
  phone.sockets.attach(argument, incoming.accept());
};

/** No process of a user build can be debugged: the list is empty and, when followed, stays so. */
const jdwpService =
  (isFollowed: boolean): Service =>
  async ({ incoming }) => {
    const stream = incoming.accept();
    await stream.write(Buffer.from(isFollowed ? "0000" : ""));
    if (!isFollowed) await stream.end();
  };

const SERVICES: Record<string, Service> = {
  shell: shellService,
  exec: execService,
  sync: syncService,
  framebuffer: framebufferService,
  reboot: rebootService,
  tcpip: saying(
    (port) => `restarting in TCP mode port: ${port}\n`,
    ({ connection }) => connection.destroy(),
  ),
  usb: saying(() => "restarting in USB mode\n"),
  root: saying(() => "adbd cannot run as root in production builds\n"),
  unroot: saying(() => "adbd not running as root\n"),
  remount: saying(() => 'Not running as root. Try "adb root" first.\n'),
  reverse: reverseService,
  tcp: tcpService,
  localabstract: localService,
  local: localService,
  jdwp: jdwpService(false),
  "track-jdwp": jdwpService(true),
};

/** Opens the service that the host asked for, or refuses it. */
export async function openService(request: Omit<ServiceRequest, "argument" | "options">): Promise<void> {
  const [, head = "", argument = ""] = /^([^:]*):?(.*)$/s.exec(request.incoming.service) ?? [];
  const [name = "", ...options] = head.split(",");
  const isOld = request.phone.profile.sdk < 24;
  const service = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  if (!service || (isOld && options.includes("v2"))) return request.incoming.refuse();
  try {
    await service({ ...request, argument, options });
  } catch (error) {
    // The host, or whatever was killed, has gone; nobody is left to tell.
    if (!isHangUp(error) && !(error instanceof Error && error.name === "KilledError")) throw error;
  }
}
