/** The phone's storage, in memory, as the shell user (uid 2000) may see it. */
export interface FileStat {
  readonly kind: "file" | "directory" | "link";
  /** Type and permission bits, as in st_mode. */
  readonly mode: number;
  readonly bytes: number;
  readonly modifiedAtSeconds: number;
  readonly inode: number;
  readonly target?: string;
}

export class FileError extends Error {
  override name = "FileError";
  readonly errno: number;
  constructor(errno: number) {
    super(ERROR_TEXTS[errno] ?? "I/O error");
    this.errno = errno;
  }
}

export const Errno = {
  ENOENT: 2,
  EACCES: 13,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  ENOSPC: 28,
  EROFS: 30,
  ENOTEMPTY: 39,
} as const;

const ERROR_TEXTS: Record<number, string> = {
  2: "No such file or directory",
  13: "Permission denied",
  17: "File exists",
  20: "Not a directory",
  21: "Is a directory",
  28: "No space left on device",
  30: "Read-only file system",
  39: "Directory not empty",
};

export interface FileTree {
  /** Absolute path without dots, double slashes and links. */
  resolve(path: string, cwd?: string): string;
  stat(path: string): FileStat | undefined;
  lstat(path: string): FileStat | undefined;
  read(path: string): Buffer;
  /** Creates or replaces; parent directories must exist. */
  write(path: string, data: Buffer, options?: { mode?: number; modifiedAtSeconds?: number; isAppend?: boolean }): void;
  /** Puts a file of the system there, which the shell may read and not change. */
  publish(path: string, data: Buffer): void;
  makeDirectory(path: string, withParents: boolean): void;
  remove(path: string, isRecursive: boolean): void;
  rename(from: string, to: string): void;
  setTimes(path: string, modifiedAtSeconds: number): void;
  list(path: string): { name: string; stat: FileStat }[];
}

interface Node {
  readonly kind: "file" | "directory";
  mode: number;
  modifiedAtSeconds: number;
  readonly inode: number;
  chunks: Buffer[];
  bytes: number;
}

const LINKS: readonly (readonly [string, string])[] = [
  ["/sdcard", "/storage/emulated/0"],
  ["/mnt/sdcard", "/storage/emulated/0"],
  ["/storage/self/primary", "/storage/emulated/0"],
  ["/data/user/0", "/data/data"],
];
const WRITABLE = ["/storage/emulated/0", "/data/local/tmp"];
const UNREADABLE = ["/data/data", "/data/app", "/data/system", "/root"];
const DIRECTORIES = [
  "/",
  "/data",
  "/data/data",
  "/data/app",
  "/data/local",
  "/data/local/tmp",
  "/dev",
  "/mnt",
  "/proc",
  "/storage",
];
const SYSTEM_DIRECTORIES = [
  "/storage/emulated",
  "/storage/emulated/0",
  "/system",
  "/system/bin",
  "/system/app",
  "/system/framework",
  "/vendor",
];
const MEDIA_DIRECTORIES = [
  "Alarms",
  "Android",
  "DCIM",
  "DCIM/Camera",
  "Documents",
  "Download",
  "Movies",
  "Music",
  "Pictures",
  "Pictures/Screenshots",
];
const TYPE_FILE = 0o100000;
const TYPE_DIRECTORY = 0o040000;
const CAPACITY_BYTES = 512 * 1024 * 1024;

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** `computed` gives what a file holds that is made at the moment of reading. */
export function createFileTree(
  now: () => number,
  computed: (path: string) => Buffer | undefined = () => undefined,
): FileTree {
  const nodes = new Map<string, Node>();
  let nextInode = 100;
  let storedBytes = 0;
  const seconds = () => Math.floor(now() / 1000);

  const addDirectory = (path: string, mode: number) =>
    nodes.set(path, {
      kind: "directory",
      mode: TYPE_DIRECTORY | mode,
      modifiedAtSeconds: seconds(),
      inode: nextInode++,
      chunks: [],
      bytes: 3452,
    });
  for (const path of [...DIRECTORIES, ...SYSTEM_DIRECTORIES]) addDirectory(path, 0o755);
  for (const path of MEDIA_DIRECTORIES) addDirectory(`/storage/emulated/0/${path}`, 0o771);

  function resolve(path: string, cwd = "/"): string {
    const parts: string[] = [];
    for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const absolute = `/${parts.join("/")}`;
    const link = LINKS.find(([from]) => isBelow(absolute, from));
    return link ? link[1] + absolute.slice(link[0].length) : absolute;
  }

  const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";
  const describe = (node: Node): FileStat => ({
    kind: node.kind,
    mode: node.mode,
    bytes: node.bytes,
    modifiedAtSeconds: node.modifiedAtSeconds,
    inode: node.inode,
  });

  function readable(path: string): Node {
    const canonical = resolve(path);
    if (UNREADABLE.some((root) => isBelow(canonical, root))) throw new FileError(Errno.EACCES);
    const node = nodes.get(canonical);
    if (!node) throw new FileError(Errno.ENOENT);
    return node;
  }

  /** The canonical path, when the shell may create, change or remove it. */
  function writable(path: string): string {
    const canonical = resolve(path);
    const root = WRITABLE.find((candidate) => isBelow(canonical, candidate));
    if (root === undefined) throw new FileError(isBelow(canonical, "/data") ? Errno.EACCES : Errno.EROFS);
    return canonical;
  }

  function children(canonical: string): string[] {
    const prefix = canonical === "/" ? "/" : `${canonical}/`;
    return [...nodes.keys()].filter(
      (path) => path.startsWith(prefix) && path !== canonical && !path.slice(prefix.length).includes("/"),
    );
  }

  function requireParent(canonical: string): void {
    const parent = nodes.get(parentOf(canonical));
    if (!parent) throw new FileError(Errno.ENOENT);
    if (parent.kind !== "directory") throw new FileError(Errno.ENOTDIR);
  }

  return {
    resolve,
    stat(path) {
      const node = nodes.get(resolve(path));
      return node && describe(node);
    },
    lstat(path) {
      const literal = path.length > 1 ? path.replace(/\/+$/, "") : path;
      const link = path.endsWith("/") ? undefined : LINKS.find(([from]) => from === literal);
      if (link)
        return {
          kind: "link",
          mode: 0o120777,
          bytes: link[1].length,
          modifiedAtSeconds: 0,
          inode: 12,
          target: link[1],
        };
      const node = nodes.get(resolve(path));
      return node && describe(node);
    },
    read(path) {
      const made = computed(resolve(path));
      if (made) return made;
      const node = readable(path);
      if (node.kind === "directory") throw new FileError(Errno.EISDIR);
      if (node.chunks.length > 1) node.chunks = [Buffer.concat(node.chunks)];
      return node.chunks[0] ?? Buffer.alloc(0);
    },
    write(path, data, options = {}) {
      const canonical = writable(path);
      requireParent(canonical);
      const existing = nodes.get(canonical);
      if (existing?.kind === "directory") throw new FileError(Errno.EISDIR);
      if (storedBytes + data.length > CAPACITY_BYTES) throw new FileError(Errno.ENOSPC);
      const isFresh = !existing || !options.isAppend;
      storedBytes += data.length - (isFresh ? (existing?.bytes ?? 0) : 0);
      nodes.set(canonical, {
        kind: "file",
        mode: TYPE_FILE | ((options.mode ?? existing?.mode ?? 0o660) & 0o7777),
        modifiedAtSeconds: options.modifiedAtSeconds ?? seconds(),
        inode: existing?.inode ?? nextInode++,
        chunks: isFresh ? [data] : [...existing.chunks, data],
        bytes: isFresh ? data.length : existing.bytes + data.length,
      });
    },
    publish(path, data) {
      const parts = path.split("/").slice(1, -1);
      for (const [index] of parts.entries()) {
        const directory = `/${parts.slice(0, index + 1).join("/")}`;
        if (!nodes.has(directory)) addDirectory(directory, 0o555);
      }
      nodes.set(path, {
        kind: "file",
        mode: TYPE_FILE | 0o444,
        modifiedAtSeconds: seconds(),
        inode: nodes.get(path)?.inode ?? nextInode++,
        chunks: [data],
        bytes: 0,
      });
    },
    makeDirectory(path, withParents) {
      const canonical = writable(path);
      if (nodes.has(canonical)) {
        if (withParents && nodes.get(canonical)?.kind === "directory") return;
        throw new FileError(Errno.EEXIST);
      }
      if (withParents && !nodes.has(parentOf(canonical))) this.makeDirectory(parentOf(canonical), true);
      requireParent(canonical);
      addDirectory(canonical, 0o771);
    },
    remove(path, isRecursive) {
      const canonical = writable(path);
      const node = nodes.get(canonical);
      if (!node) throw new FileError(Errno.ENOENT);
      if (node.kind === "directory" && !isRecursive && children(canonical).length > 0)
        throw new FileError(Errno.ENOTEMPTY);
      if (WRITABLE.includes(canonical)) throw new FileError(Errno.EACCES);
      for (const [other, gone] of [...nodes]) {
        if (!isBelow(other, canonical)) continue;
        if (gone.kind === "file") storedBytes -= gone.bytes;
        nodes.delete(other);
      }
    },
    rename(from, to) {
      const source = writable(from);
      const target = writable(to);
      if (!nodes.has(source)) throw new FileError(Errno.ENOENT);
      requireParent(target);
      for (const [path, node] of [...nodes]) {
        if (!isBelow(path, source)) continue;
        nodes.delete(path);
        nodes.set(target + path.slice(source.length), node);
      }
    },
    setTimes(path, modifiedAtSeconds) {
      const node = nodes.get(writable(path));
      if (!node) throw new FileError(Errno.ENOENT);
      node.modifiedAtSeconds = modifiedAtSeconds;
    },
    list(path) {
      const node = readable(path);
      if (node.kind !== "directory") throw new FileError(Errno.ENOTDIR);
      const canonical = resolve(path);
      return children(canonical).flatMap((child) => {
        const found = nodes.get(child);
        return found ? [{ name: child.slice(child.lastIndexOf("/") + 1), stat: describe(found) }] : [];
      });
    },
  };
}
