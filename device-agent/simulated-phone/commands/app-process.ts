import { SERVER_VERSION } from "../scrcpy/options.ts";
import { runScrcpyServer } from "../scrcpy/server.ts";
import { isZip, readZipEntry } from "./apk.ts";
import type { Program, ProgramContext } from "./program.ts";

const SCRCPY_SERVER = "com.genymobile.scrcpy.Server";
const STATUS_ABORTED = 134;
const STATUS_KILLED = 137;

/** `CLASSPATH=FILE app_process / CLASS ARGUMENTS`. The one class it can run is the screen-control server. */
export const appProcess: Program = async (context) => {
  if (context.phone.profile.quirks.noScrcpy) {
    await context.printError("Killed \n");
    return STATUS_KILLED;
  }
  if (context.phone.pendingFaults.silentScrcpy > 0) {
    context.phone.pendingFaults.silentScrcpy--;
    return STATUS_KILLED;
  }
  const [, className = "", ...args] = context.args.filter((argument) => !/^-[XD]|^--nice-name/.test(argument));
  const jar = context.shell.variables.get("CLASSPATH")?.split(":")[0] ?? "";
  if (className !== SCRCPY_SERVER || !holdsServer(context, jar)) {
    await context.printError(classNotFound(className, jar));
    await context.printError("Aborted \n");
    return STATUS_ABORTED;
  }
  return runScrcpyServer(context, args, context.phone.files.resolve(jar, context.shell.cwd), SERVER_VERSION);
};

/** The pushed file is the server's archive, and of the version that can be run. */
function holdsServer({ phone, shell }: ProgramContext, path: string): boolean {
  const file = phone.files.resolve(path, shell.cwd);
  if (path === "" || phone.files.stat(file)?.kind !== "file") return false;
  const archive = phone.files.read(file);
  const code = isZip(archive) ? readZipEntry(archive, "classes.dex") : undefined;
  return code?.includes(SERVER_VERSION) ?? false;
}

function classNotFound(className: string, jar: string): string {
  return `Error: Unable to load class ${className}
java.lang.ClassNotFoundException: Didn't find class "${className}" on path: DexPathList[[zip file "${jar}"],nativeLibraryDirectories=[/system/lib64, /system_ext/lib64]]
\tat dalvik.system.BaseDexClassLoader.findClass(BaseDexClassLoader.java:259)
\tat java.lang.ClassLoader.loadClass(ClassLoader.java:379)
\tat com.android.internal.os.RuntimeInit.nativeFinishInit(Native Method)
\tat com.android.internal.os.RuntimeInit.main(RuntimeInit.java:355)
`;
}
