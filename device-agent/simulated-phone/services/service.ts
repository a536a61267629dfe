import type { AdbdConnection, IncomingStream } from "../adbd/connection.ts";
import type { PhoneShell } from "../commands/shell-host.ts";
import type { Phone } from "../phone/phone.ts";
import type { ReverseForwards } from "./reverse-service.ts";

/** What an adb service is opened with. `argument` is what follows the colon. */
export interface ServiceRequest {
  readonly argument: string;
  readonly options: readonly string[];
  readonly incoming: IncomingStream;
  readonly connection: AdbdConnection;
  readonly phone: Phone;
  readonly shell: PhoneShell;
  readonly reverse: ReverseForwards;
}

export type Service = (request: ServiceRequest) => Promise<void>;
