/** Looks every few milliseconds until `holds`; throws when it never does. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not happen within ${timeoutMs} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
