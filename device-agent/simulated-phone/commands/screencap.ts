import { createCanvas } from "@napi-rs/canvas";
import type { Frame } from "../draw/renderer.ts";
import type { Phone } from "../phone/phone.ts";
import { messageOf, type Program, type ProgramContext } from "./program.ts";

/** 64-bit ids of the panels, as SurfaceFlinger gives them. */
export const PRIMARY_DISPLAY_ID = "4619827259835644672";
export const SECOND_DISPLAY_ID = "4630946219955703955";

const WARNING = `[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, however this default is not guaranteed to be consistent across captures.
A display ID can be specified with the [-d display-id] option.
See "dumpsys SurfaceFlinger --display-id" for valid display IDs.
`;
const USAGE = `usage: screencap [-ahp] [-d display-id] [FILENAME]
   -h: this message
   -a: captures all the active displays. This appends an integer postfix to the FILENAME.
       e.g., FILENAME_0.png, FILENAME_1.png. If both -a and -d are given, it ignores -d.
   -d: specify the display ID to capture (If the id is not given, it defaults to ${PRIMARY_DISPLAY_ID})
       see "dumpsys SurfaceFlinger --display-id" for valid display IDs.
   -p: outputs in png format.
If FILENAME ends with .png it will be saved as a png.
If FILENAME is not given, the results will be printed to stdout.
`;

/** `screencap`, in the forms of frameworks/base/cmds/screencap. */
export const screencap: Program = async (context) => {
  const options = parse(context.args);
  if (!options) {
    await context.printError(USAGE);
    return 1;
  }
  const { quirks, sdk } = context.phone.profile;
  // The option came with several displays in Android 9.
  if (sdk < 28 && options.displayId !== undefined) {
    await context.printError(USAGE);
    return 1;
  }
  if (options.displayId === undefined && (quirks.multiDisplayWarning || displayIds(context.phone).length > 1))
    await context.print(WARNING);
  if (options.displayId !== undefined && !displayIds(context.phone).includes(options.displayId)) {
    await context.printError(`Display Id '${options.displayId}' is not valid.\n`);
    return 1;
  }
  if (quirks.slowCaptureMs) await context.phone.profile.clock.sleep(quirks.slowCaptureMs, context.signal);
  const bytes = cutByQuirk(context.phone, await capture(context.phone, options.displayId, options.isPng));
  return options.file === undefined ? writeOut(context, bytes) : writeFile(context, options.file, bytes);
};

export function displayIds(phone: Phone): string[] {
  const hasTwo = phone.profile.quirks.secondDisplay || phone.screen.display.panels.length > 1;
  return hasTwo ? [PRIMARY_DISPLAY_ID, SECOND_DISPLAY_ID] : [PRIMARY_DISPLAY_ID];
}

/** The panel that shows logical display 0. */
export function activePanelId(phone: Phone): string {
  return phone.screen.display.isFolded && phone.screen.display.panels.length > 1
    ? SECOND_DISPLAY_ID
    : PRIMARY_DISPLAY_ID;
}

function cutByQuirk(phone: Phone, bytes: Buffer): Buffer {
  if (phone.pendingFaults.cutCapture <= 0) return bytes;
  phone.pendingFaults.cutCapture--;
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

function parse(args: readonly string[]): { isPng: boolean; displayId?: string; file?: string } | undefined {
  let isPng = false;
  let displayId: string | undefined;
  let file: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    if (argument === "-p") isPng = true;
    else if (argument === "-d") displayId = args[++at] ?? "";
    else if (argument.startsWith("-d")) displayId = argument.slice(2);
    else if (argument.startsWith("-")) return undefined;
    else file = argument;
  }
  return {
    isPng: isPng || (file?.endsWith(".png") ?? false),
    ...(displayId !== undefined && { displayId }),
    ...(file !== undefined && { file }),
  };
}

async function capture(phone: Phone, displayId: string | undefined, isPng: boolean): Promise<Buffer> {
  const isOther = (displayId ?? PRIMARY_DISPLAY_ID) !== activePanelId(phone);
  if (isOther && phone.second) {
    const { renderer } = phone.second;
    return isPng ? renderer.png() : rawImage(renderer.frame(), phone.profile.sdk);
  }
  if (isOther) {
    const canvas = darkPanel(phone);
    return isPng
      ? canvas.encode("png")
      : rawImage({ width: canvas.width, height: canvas.height, pixels: canvas.data() }, phone.profile.sdk);
  }
  return isPng ? phone.renderer.png() : rawImage(phone.renderer.frame(), phone.profile.sdk);
}

/** Width, height, format RGBA_8888 and from Android 9 on the colour space, then the pixels. */
function rawImage(frame: Frame, sdk: number): Buffer {
  const header = Buffer.alloc(sdk >= 28 ? 16 : 12);
  header.writeUInt32LE(frame.width, 0);
  header.writeUInt32LE(frame.height, 4);
  header.writeUInt32LE(1, 8);
  if (header.length === 16) header.writeUInt32LE(1, 12);
  return Buffer.concat([header, frame.pixels]);
}

/** The panel of a foldable that is not in use. */
function darkPanel({ screen: { display } }: Phone) {
  const { width, height } = display.panels[display.isFolded ? 0 : 1] ?? display.physical;
  const dark = createCanvas(width, height);
  const context = dark.getContext("2d");
  context.fillStyle = "#000000";
  context.fillRect(0, 0, width, height);
  return dark;
}

async function writeOut(context: ProgramContext, bytes: Buffer): Promise<number> {
  await context.io.stdout.write(bytes);
  return 0;
}

async function writeFile(context: ProgramContext, file: string, bytes: Buffer): Promise<number> {
  try {
    context.phone.files.write(context.phone.files.resolve(file, context.shell.cwd), bytes);
    return 0;
  } catch (error) {
    await context.printError(`Error opening file: ${file} (${messageOf(error)})\n`);
    return 1;
  }
}
