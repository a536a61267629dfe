import { KilledError } from "../phone/process-table.ts";
import { type Program, type ProgramTable, parseFlags, printing } from "./program.ts";

const SIGNALS: Record<string, number> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, TERM: 15 };
const ID =
  "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid),3012(readtracefs) context=u:r:shell:s0";

const sleep: Program = async ({ args, phone, signal, printError }) => {
  const seconds = args.map((text) => Number.parseFloat(text) * ({ m: 60, h: 3600, d: 86_400 }[text.at(-1) ?? ""] ?? 1));
  if (seconds.length === 0 || seconds.some(Number.isNaN)) {
    await printError('sleep: Needs 1 argument (see "sleep --help")\n');
    return 1;
  }
  await phone.profile.clock.sleep(seconds.reduce((sum, value) => sum + value, 0) * 1000, signal);
  return 0;
};

const ps: Program = async ({ args, phone, print }) => {
  const { flags } = parseFlags(args, "opu");
  const isAll = flags.has("A") || flags.has("e");
  const shown = phone.processes.list().filter((process) => isAll || process.user === "shell");
  const columns = flags.get("o")?.toUpperCase().split(",");
  if (columns) {
    await print(`${columns.join(" ")}\n`);
    for (const process of shown)
      await print(
        `${columns.map((column) => ({ PID: process.pid, PPID: process.parentPid, PGID: process.group, USER: process.user, NAME: process.name, ARGS: process.name, CMD: process.name })[column] ?? "-").join(" ")}\n`,
      );
    return 0;
  }
  await print("USER            PID   PPID     VSZ    RSS WCHAN            ADDR S NAME\n");
  for (const process of shown)
    await print(
      `${process.user.padEnd(12)} ${String(process.pid).padStart(6)} ${String(process.parentPid).padStart(6)} 10870228 88420 0                   0 S ${process.name}\n`,
    );
  return 0;
};

/** A number below zero names a group. */
const kill: Program = async ({ args, phone, printError }) => {
  const [first = "", ...others] = args;
  const option = /^-(?:s)?(\w+)$/.exec(first)?.[1];
  const signalNumber = option === undefined ? 15 : (SIGNALS[option.replace(/^SIG/, "")] ?? Number(option));
  let status = 0;
  for (const target of (option === undefined ? args : others).filter((argument) => argument !== "--")) {
    const number = Number(target);
    const found = phone.processes.list().filter(({ pid, group }) => (number < 0 ? group === -number : pid === number));
    const own = found.filter(({ abort }) => abort);
    if (signalNumber !== 0) for (const { abort } of own) abort?.abort(new KilledError(signalNumber));
    if (own.length > 0) continue;
    status = 1;
    const reason = found.length === 0 ? "No such process" : "Operation not permitted";
    await printError(`/system/bin/sh: kill: ${target}: ${reason}\n`);
  }
  return status;
};

const pidof: Program = async ({ args, phone, print }) => {
  const pids = args
    .filter((argument) => !argument.startsWith("-"))
    .flatMap((name) => phone.processes.byName(name).map((process) => process.pid));
  if (pids.length === 0) return 1;
  await print(`${pids.join(" ")}\n`);
  return 0;
};

const pkill: Program = ({ args, phone }) => {
  const pattern = args.filter((argument) => !argument.startsWith("-")).at(-1) ?? "";
  const found = phone.processes
    .list()
    .filter(
      (process) => process.abort && process.name.includes(pattern) && process.name !== "pkill" && process.name !== "sh",
    );
  for (const process of found) process.abort?.abort(new KilledError(15));
  return found.length > 0 ? 0 : 1;
};

const date: Program = async ({ args, phone, print }) => {
  const now = new Date(phone.profile.clock.now());
  const format = args.find((argument) => argument.startsWith("+"))?.slice(1);
  const [day = "", month = "", number = "", year = ""] = now
    .toUTCString()
    .replace(",", "")
    .split(" ")
    .map((_, index, parts) => [parts[0], parts[2], String(Number(parts[1])), parts[3]][index] ?? "");
  const iso = now.toISOString();
  const values: Record<string, string> = {
    s: String(Math.floor(now.getTime() / 1000)),
    N: "000000000",
    Y: year,
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    Z: "UTC",
    z: "+0000",
  };
  await print(
    format === undefined
      ? `${day} ${month} ${number.padStart(2)} ${iso.slice(11, 19)} UTC ${year}\n`
      : `${format.replace(/%(.)/g, (_, letter: string) => values[letter] ?? letter)}\n`,
  );
  return 0;
};

const uname: Program = async ({ args, print }) => {
  const all = "Linux localhost 5.10.198-android13-4 #1 SMP PREEMPT Fri Dec 1 00:00:00 UTC 2023 aarch64 Toybox";
  await print(
    `${args.includes("-a") ? all : args.includes("-m") ? "aarch64" : args.includes("-r") ? "5.10.198-android13-4" : "Linux"}\n`,
  );
  return 0;
};

const uptime = printing(({ phone }) => {
  const minutes = Math.floor((phone.profile.clock.now() - phone.bootedAt) / 60_000);
  return ` ${new Date(phone.profile.clock.now()).toISOString().slice(11, 19)} up ${minutes} min,  0 users,  load average: 0.42, 0.38, 0.35\n`;
});

export const processPrograms: ProgramTable = {
  sleep,
  ps,
  kill,
  pidof,
  pkill,
  date,
  uname,
  uptime,
  id: async ({ args, print }) => {
    await print(`${args.includes("-u") ? "2000" : ID}\n`);
    return 0;
  },
  whoami: printing(() => "shell\n"),
  nproc: printing(() => "8\n"),
  hostname: printing(() => "localhost\n"),
  getenforce: printing(() => "Enforcing\n"),
  free: printing(
    () =>
      "\t\ttotal        used        free      shared     buffers\nMem:       7753728000  5368709120  2385018880    8388608    12582912\n",
  ),
};
