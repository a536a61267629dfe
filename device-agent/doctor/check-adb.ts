import type { AdbProgram } from "../adb/server/adb-program.ts";
import type { Finding } from "./finding.ts";

export interface AdbSight {
  program: AdbProgram | undefined;
  /** Of the server; undefined when none answers. */
  serverProtocol: number | undefined;
  /** Where the server was looked for. */
  where: string;
  /** Whether phones may come by another way. */
  hasOtherWay: boolean;
}

const howToInstall =
  "Install Android's platform-tools (Debian and Ubuntu: apt install adb), or reach phones by TCP with --direct HOST:PORT.";

/** What there is to say of the adb program and its server. */
export function checkAdb({ program, serverProtocol, where, hasOtherWay }: AdbSight): Finding[] {
  const lacking = hasOtherWay ? "warn" : "fail";
  const isUp = serverProtocol !== undefined;
  const findings: Finding[] = [
    program
      ? { level: "ok", subject: "adb", check: "adb_program", message: `adb ${program.release} is on the PATH.` }
      : {
          level: isUp ? "warn" : lacking,
          subject: "adb",
          check: "adb_program",
          message: "There is no adb on the PATH.",
          fix: howToInstall,
        },
  ];
  const about = { subject: "adb", check: "adb_server" };
  if (isUp) findings.push({ ...about, level: "ok", message: `An adb server answers at ${where}.` });
  else {
    const fix = program
      ? "Run adb start-server; a device agent on this machine does it by itself."
      : "Start the adb server where the phones are, and name it with --adb-host and --adb-port.";
    findings.push({ ...about, level: program ? "warn" : lacking, message: `No adb server answers at ${where}.`, fix });
  }
  if (isUp && program?.protocol !== undefined && program.protocol !== serverProtocol) {
    findings.push({
      ...about,
      level: "warn",
      message: `The adb server speaks version ${serverProtocol} and the adb program ${program.protocol}: each use of the program restarts the server and drops the phones.`,
      fix: "Leave one adb on this machine: look for a second one in Android Studio, scrcpy or the distribution's packages.",
    });
  }
  return findings;
}
