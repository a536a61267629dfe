// What `npm run docs:examples` runs after the build: calls every tool once by the official MCP client, and keeps what it
// was answered in docs/examples.jsonl, one tool a line. With --print the lines go to stdout, and no file is touched.
import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { defaultOcrDir, findAddOn } from "../../dist/device-agent/ocr/add-on.js";
import { createPlain } from "./plain.mjs";
import { withProduct } from "./product.mjs";
import { story } from "./story.mjs";

const file = new URL("../examples.jsonl", import.meta.url);
const printing = process.argv.includes("--print");
const untilMs = 60_000;

async function call(client, tool, args) {
  const result = await client.callTool({ name: tool, arguments: args });
  if (!result.isError) return result;
  throw new Error(`${tool} ${JSON.stringify(args)} was refused: ${result.content[0]?.text}`);
}

async function callUntil(client, tool, args, fulfilled = () => true) {
  const end = Date.now() + untilMs;
  for (;;) {
    const result = await call(client, tool, args);
    if (fulfilled(result.structuredContent)) return result;
    if (Date.now() > end) throw new Error(`${tool} never answered as wanted: ${JSON.stringify(result)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** "image/jpeg, 540 × 1200" */
async function pictureOf({ mimeType, data }) {
  const { width, height } = await sharp(Buffer.from(data, "base64")).metadata();
  return `${mimeType}, ${width} × ${height}`;
}

async function exampleOf(client, ready, tool, told) {
  const { before = [], arguments: given = {}, until, after = [] } = story[tool];
  for (const one of before) {
    if (typeof one === "function") await one(told, ready);
    else await callUntil(client, ...one);
  }
  const args = typeof given === "function" ? given(told) : given;
  const { structuredContent, content } = await callUntil(client, tool, args, until);
  for (const one of after) await callUntil(client, ...one);
  told[tool] = structuredContent;
  const plain = createPlain();
  const pictures = await Promise.all(content.filter(({ type }) => type === "image").map(pictureOf));
  return { tool, arguments: plain(args), answer: plain(structuredContent), pictures };
}

/** The lines at hand by tool, for what cannot be made on this machine. */
function readLines() {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => [JSON.parse(line).tool, line]));
}

const faults = [];
const lines = await withProduct(async (client, ready) => {
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  for (const tool of tools.filter((name) => !(name in story))) faults.push(`there is no entry for ${tool}`);
  const made = new Map();
  const told = {};
  for (const tool of Object.keys(story)) {
    if (!tools.includes(tool)) faults.push(`${tool} is no tool`);
    else if (story[tool].needsOcr && !findAddOn(defaultOcrDir())) {
      process.stderr.write(`The example of ${tool} stays as it is: it needs the OCR add-on (npm run add-ocr).\n`);
      if (!printing) made.set(tool, readLines().get(tool));
    } else {
      try {
        made.set(tool, JSON.stringify(await exampleOf(client, ready, tool, told)));
      } catch (thrown) {
        faults.push(`${tool}: ${thrown.message}`);
      }
    }
  }
  return tools.map((tool) => made.get(tool)).filter((line) => line !== undefined);
});

const text = lines.map((line) => `${line}\n`).join("");
if (printing) process.stdout.write(text);
else writeFileSync(file, text);
for (const fault of faults) process.stderr.write(`docs/examples/story.mjs: ${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);
