import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { StartError, systemCode } from "./start-error.ts";
import { createWebSocketServer } from "./web-socket.ts";

export interface HttpServer {
  port: number;
  /** Requests are answered from now on. */
  serve(app: Hono): void;
  /** Takes no new connection, waits `patienceMs` for the open ones, then drops them. */
  close(patienceMs: number): Promise<void>;
}

/** A file may come slowly; who sends a body that is read at all has shown a token, and is watched for silence. */
const requestMs = 60 * 60_000;

/** Listens at once, so that a port of 0 is known before the application is made. Throws StartError. */
export async function listen(host: string, port: number): Promise<HttpServer> {
  let app: Hono | null = null;
  const webSockets = createWebSocketServer();
  const server = createAdaptorServer({
    fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
    websocket: { server: webSockets },
  }) as Server;
  server.requestTimeout = requestMs;

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartError(whyNot(host, port, systemCode(error)), error)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("An HTTP server without a port.");

  return {
    port: address.port,
    serve(ready) {
      app = ready;
    },
    close: (patienceMs) =>
      new Promise((resolve) => {
        const drop = setTimeout(() => {
          for (const socket of webSockets.clients) socket.terminate();
          server.closeAllConnections();
        }, patienceMs);
        server.close(() => {
          clearTimeout(drop);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function whyNot(host: string, port: number, code: string): string {
  if (code === "EADDRINUSE") return `Port ${port} on ${host} is taken by another program; choose another with --port.`;
  if (code === "EACCES") return `Port ${port} on ${host} needs more rights; choose one above 1023 with --port.`;
  return `The gateway cannot listen on ${host} port ${port} (${code}).`;
}
