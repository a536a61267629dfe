import { FileError, type FileStat } from "../phone/file-tree.ts";
import { matchesGlob } from "../shell/glob.ts";
import { type Program, type ProgramContext, type ProgramTable, parseFlags } from "./program.ts";

/** Runs an action for each operand and reports what fails, as toybox does. */
async function forEachPath(
  context: ProgramContext,
  operands: readonly string[],
  verb: string,
  action: (path: string, operand: string) => void | Promise<void>,
): Promise<number> {
  let status = 0;
  for (const operand of operands) {
    try {
      await action(context.phone.files.resolve(operand, context.shell.cwd), operand);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await context.printError(
        `${context.name}: ${verb}${operand}${verb.endsWith("'") ? "'" : ""}: ${error.message}\n`,
      );
      status = 1;
    }
  }
  return status;
}

const KIND_LETTERS = { directory: "d", link: "l", file: "-" } as const;

function modeText(stat: FileStat): string {
  const bits = [6, 3, 0].map((shift) => {
    const three = (stat.mode >> shift) & 7;
    return `${three & 4 ? "r" : "-"}${three & 2 ? "w" : "-"}${three & 1 ? "x" : "-"}`;
  });
  return KIND_LETTERS[stat.kind] + bits.join("");
}

const dateText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");

const ls: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args);
  const { files } = context.phone;
  const line = (name: string, stat: FileStat) => {
    const suffix = flags.has("p") && stat.kind === "directory" ? "/" : "";
    if (!flags.has("l")) return `${name}${suffix}\n`;
    return `${modeText(stat)} ${stat.kind === "directory" ? 2 : 1} shell shell ${String(stat.bytes).padStart(8)} ${dateText(stat.modifiedAtSeconds)} ${name}${suffix}${stat.target ? ` -> ${stat.target}` : ""}\n`;
  };
  const targets = operands.length > 0 ? operands : [context.shell.cwd];
  return forEachPath(context, targets, "", async (path, operand) => {
    const stat = files.lstat(operand.startsWith("/") ? operand : path);
    if (!stat) throw new FileError(2);
    if (stat.kind !== "directory" && !(stat.kind === "link" && !flags.has("l")))
      return context.print(line(operand, stat));
    if (flags.has("d")) return context.print(line(operand, stat));
    const entries = files.list(path).filter(({ name }) => flags.has("a") || flags.has("A") || !name.startsWith("."));
    if (flags.has("t")) entries.sort((left, right) => right.stat.modifiedAtSeconds - left.stat.modifiedAtSeconds);
    else entries.sort((left, right) => (left.name < right.name ? -1 : 1));
    if (targets.length > 1) await context.print(`${operand}:\n`);
    if (flags.has("l")) await context.print(`total ${entries.length * 4}\n`);
    for (const entry of entries) await context.print(line(entry.name, entry.stat));
  });
};

const rm: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args);
  const isRecursive = flags.has("r") || flags.has("R");
  return forEachPath(context, operands, "", (path) => {
    const stat = context.phone.files.stat(path);
    if (!stat && flags.has("f")) return;
    if (stat?.kind === "directory" && !isRecursive) throw new FileError(21);
    context.phone.files.remove(path, isRecursive);
  });
};

const mkdir: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "m");
  return forEachPath(context, operands, "'", (path) => context.phone.files.makeDirectory(path, flags.has("p")));
};

const rmdir: Program = async (context) =>
  forEachPath(context, context.args, "", (path) => context.phone.files.remove(path, false));

const touch: Program = async (context) => {
  const { operands } = parseFlags(context.args, "dtr");
  return forEachPath(context, operands, "'", (path) => {
    const { files } = context.phone;
    if (files.stat(path)) files.setTimes(path, Math.floor(context.phone.profile.clock.now() / 1000));
    else files.write(path, Buffer.alloc(0));
  });
};

function targetOf({ phone, shell }: ProgramContext, source: string, target: string): string {
  const path = phone.files.resolve(target, shell.cwd);
  return phone.files.stat(path)?.kind === "directory" ? `${path}/${source.split("/").filter(Boolean).at(-1)}` : path;
}

const cp: Program = async (context) => {
  const { operands } = parseFlags(context.args);
  const target = operands.at(-1) ?? "";
  return forEachPath(context, operands.slice(0, -1), "", (path, operand) =>
    context.phone.files.write(targetOf(context, operand, target), context.phone.files.read(path)),
  );
};

const mv: Program = async (context) => {
  const { operands } = parseFlags(context.args);
  const target = operands.at(-1) ?? "";
  return forEachPath(context, operands.slice(0, -1), "", (path, operand) =>
    context.phone.files.rename(path, targetOf(context, operand, target)),
  );
};

const stat: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "c");
  return forEachPath(context, operands, "'", async (path, operand) => {
    const found = context.phone.files.stat(path);
    if (!found) throw new FileError(2);
    const octal = (found.mode & 0o7777).toString(8);
    const values: Record<string, string> = {
      s: String(found.bytes),
      a: octal,
      n: operand,
      Y: String(found.modifiedAtSeconds),
      F: found.kind === "file" ? "regular file" : "directory",
      U: "shell",
      G: "shell",
      i: String(found.inode),
    };
    const format = flags.get("c");
    if (format !== undefined)
      return context.print(`${format.replace(/%([saYnFUGi])/g, (_, letter: string) => values[letter] ?? "")}\n`);
    await context.print(
      `  File: ${operand}\n  Size: ${found.bytes}\t Blocks: ${Math.ceil(found.bytes / 512)}\t IO Blocks: 512\t${values.F}\nDevice: fe2dh/65069d\t Inode: ${found.inode}\t Links: 1\nAccess: (${octal.padStart(4, "0")}/${modeText(found)})\tUid: ( 2000/   shell)\tGid: ( 2000/   shell)\nModify: ${dateText(found.modifiedAtSeconds)}:00.000000000 +0000\n`,
    );
  });
};

const chmod: Program = async (context) =>
  forEachPath(context, context.args.slice(1), "", (path) => {
    const { files } = context.phone;
    const found = files.stat(path);
    if (!found) throw new FileError(2);
    if (found.kind === "directory") return;
    const [mode = ""] = context.args;
    const bits = /^[0-7]+$/.test(mode)
      ? Number.parseInt(mode, 8)
      : mode.includes("x")
        ? found.mode | 0o111
        : found.mode;
    files.write(path, files.read(path), { mode: bits, modifiedAtSeconds: found.modifiedAtSeconds });
  });

const find: Program = async (context) => {
  const { files } = context.phone;
  const root = context.args[0]?.startsWith("-") ? "." : (context.args[0] ?? ".");
  const option = (name: string) => context.args[context.args.indexOf(name) + 1];
  const pattern = context.args.includes("-name") ? option("-name") : undefined;
  const type = context.args.includes("-type") ? option("-type") : undefined;
  async function walk(path: string, shown: string): Promise<void> {
    const found = files.stat(path);
    const name = shown.split("/").at(-1) ?? shown;
    const isKind = type === undefined || (type === "d") === (found?.kind === "directory");
    if (isKind && (pattern === undefined || matchesGlob(pattern, name))) await context.print(`${shown}\n`);
    if (found?.kind === "directory")
      for (const entry of files.list(path))
        await walk(`${path}/${entry.name}`, `${shown.replace(/\/$/, "")}/${entry.name}`);
  }
  return forEachPath(context, [root], "", async (path, operand) => {
    if (!files.stat(path)) throw new FileError(2);
    await walk(path, operand);
  });
};

const df: Program = async ({ print }) => {
  await print(
    "Filesystem       1K-blocks     Used Available Use% Mounted on\n/dev/block/dm-8    4194304  3145728   1048576  75% /\n/dev/block/dm-40 115249236 48404679  66844557  42% /data\n/dev/fuse        115249236 48404679  66844557  42% /storage/emulated\n",
  );
  return 0;
};

const readlink: Program = async (context) =>
  forEachPath(context, parseFlags(context.args).operands, "", async (path, operand) => {
    const link = context.phone.files.lstat(operand);
    await context.print(`${context.args.includes("-f") ? path : (link?.target ?? "")}\n`);
  });

const du: Program = async (context) =>
  forEachPath(context, parseFlags(context.args).operands, "", async (path, operand) => {
    const found = context.phone.files.stat(path);
    if (!found) throw new FileError(2);
    await context.print(`${Math.ceil(found.bytes / 1024)}\t${operand}\n`);
  });

export const filePrograms: ProgramTable = {
  ls,
  rm,
  mkdir,
  rmdir,
  touch,
  cp,
  mv,
  stat,
  chmod,
  find,
  df,
  du,
  readlink,
  realpath: readlink,
  sync: () => 0,
};
