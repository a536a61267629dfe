import { createExactReader } from "../phone/exact-reader.ts";
import { FileError } from "../phone/file-tree.ts";
import type { InstallSession, Phone } from "../phone/phone.ts";
import { packageNameOf } from "./apk.ts";
import { type ProgramContext, parseFlags } from "./program.ts";

type Action = (context: ProgramContext, args: readonly string[]) => Promise<number>;
/** Puts an app there, or a new version of it. */
export type AddApp = (phone: Phone, packageName: string) => void;

const FIRST_SESSION = 1_482_930_117;

/** `pm install-create`, `-write`, `-commit` and `-abandon`: an app of several APKs is installed at once. */
export function installSessionActions(addApp: AddApp): Record<string, Action> {
  const create: Action = async ({ phone, print }) => {
    const id = FIRST_SESSION + phone.installSessions.size;
    phone.installSessions.set(id, { parts: new Map(), isOpen: true });
    await print(`Success: created install session [${id}]\n`);
    return 0;
  };

  const write: Action = async (context, args) => {
    const { flags, operands } = parseFlags(args, "S");
    const [id = "", name = "", path = "-"] = operands;
    const session = await openSession(context, id);
    if (!session) return 255;
    const bytes = await partBytes(context, path, Number(flags.get("S") ?? 0));
    if (!bytes) return 1;
    session.parts.set(name, bytes);
    await context.print(`Success: streamed ${bytes.length} bytes\n`);
    return 0;
  };

  const commit: Action = async (context, [id = ""]) => {
    const session = await openSession(context, id);
    if (!session) return 255;
    session.isOpen = false;
    const names = [...session.parts.values()].map((bytes) => packageNameOf(bytes));
    const [name] = names;
    const failure = context.phone.profile.quirks.installDenied ?? faultOf(names);
    if (failure !== undefined || name === undefined) {
      await context.print(`Failure [${failure ?? "INSTALL_FAILED_INVALID_APK: Session staged no packages"}]\n`);
      return 1;
    }
    addApp(context.phone, name);
    await context.print("Success\n");
    return 0;
  };

  const abandon: Action = async (context, [id = ""]) => {
    const session = await openSession(context, id);
    if (!session) return 255;
    session.isOpen = false;
    await context.print("Success\n");
    return 0;
  };

  return { "install-create": create, "install-write": write, "install-commit": commit, "install-abandon": abandon };
}

function faultOf(names: readonly (string | undefined)[]): string | undefined {
  if (names.includes(undefined))
    return "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1482930117.tmp/0.apk";
  if (new Set(names).size > 1) return `INSTALL_FAILED_INVALID_APK: Split null inconsistent package ${names[1]}`;
  return undefined;
}

async function openSession({ phone, printError }: ProgramContext, id: string): Promise<InstallSession | undefined> {
  const session = phone.installSessions.get(Number(id));
  if (session?.isOpen) return session;
  await printError(
    `\nException occurred while executing 'install':\njava.lang.SecurityException: Caller has no access to session ${id}\n\tat com.android.server.pm.PackageInstallerService.openSessionInternal(PackageInstallerService.java:894)\n`,
  );
  return undefined;
}

/** From standard input exactly `size` bytes are taken: whoever writes may keep it open. */
async function partBytes(context: ProgramContext, path: string, size: number): Promise<Buffer | undefined> {
  if (path === "-") {
    const bytes = await createExactReader(context.io.stdin).take(size);
    if (!bytes) await context.printError("Error: failed to write; cut short\n");
    return bytes;
  }
  try {
    return context.phone.files.read(context.phone.files.resolve(path, context.shell.cwd));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await context.printError(`Error: Unable to open file: ${path}\nConsider using a file under /data/local/tmp/\n`);
    return undefined;
  }
}
