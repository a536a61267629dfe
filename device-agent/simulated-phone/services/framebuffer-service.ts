import type { Service } from "./service.ts";

/** `framebuffer:`: a header of 32-bit fields, then the pixels (AOSP framebuffer_service.cpp). */
export const framebufferService: Service = async ({ incoming, phone }) => {
  const stream = incoming.accept();
  const { width, height, pixels } = phone.renderer.frame();
  const colorSpace = phone.profile.sdk >= 26 ? [0] : [];
  const version = colorSpace.length > 0 ? 2 : 1;
  // Offset and length in bits of red, blue, green and alpha in RGBA_8888.
  const channels = [0, 8, 16, 8, 8, 8, 24, 8];
  const fields = [version, 32, ...colorSpace, pixels.length, width, height, ...channels];
  const header = Buffer.alloc(fields.length * 4);
  for (const [index, field] of fields.entries()) header.writeUInt32LE(field, index * 4);
  await stream.write(header);
  await stream.write(pixels);
  await stream.end();
};
