// What `npm run docs` runs: derives pages from the tables in the code. With --check it only says what is out of date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { upOptions } from "../dist/cli/up-options.js";
import { deviceAgentOptions } from "../dist/device-agent/config.js";
import { doctorOptions } from "../dist/device-agent/doctor/options.js";
import { gatewayOptions } from "../dist/gateway/node/config.js";
import { errorTable } from "../dist/shared/errors.js";
import { envName, flagName } from "../dist/shared/options.js";
import { permissionTable } from "../dist/shared/permissions.js";
import { inputSchemaOf } from "../dist/shared/tools/json-schema.js";
import { toolSpecs } from "../dist/shared/tools/specs.js";
import { showExample } from "./examples/show.mjs";

const checking = process.argv.includes("--check");
const here = new URL("./", import.meta.url);
const derived = "<!-- Derived by `npm run docs`; do not edit. -->\n\n";
const cell = (text) => String(text).replaceAll("|", "\\|");
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

const howToRenew = "npm run docs:examples";
const examples = new Map(
  readIfThere(new URL("examples.jsonl", here))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .map((example) => [example.tool, example]),
);

function toolsPage() {
  const sections = toolSpecs.map((spec) => {
    const { properties = {}, required = [] } = inputSchemaOf(spec);
    const described = spec.input.shape;
    const rows = Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      schema.enum ? schema.enum.map((one) => `\`${one}\``).join(" ") : schema.type,
      required.includes(name) ? "yes" : schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``,
      described[name]?.description ?? "",
    ]);
    const facts = `Permission \`${spec.permission}\`, ${spec.effect}, at most ${spec.timeoutMs / 1000} s.`;
    const fields = Object.keys(spec.output.shape).map((name) => `\`${name}\``);
    const example = examples.get(spec.name);
    const args = rows.length > 0 ? `${table(["argument", "type", "required or default", ""], rows)}\n\n` : "";
    return `## ${spec.name}\n\n${spec.description} ${facts}\n\n${args}Answers with ${fields.join(", ")}.\n${example ? showExample(example) : ""}`;
  });
  const intro =
    "Each tool with one call and its answer, as the official MCP client got it from the simulated phone. Ids, times and " +
    'what a build says of itself are replaced; "… and 7 more" and the like is where a long answer was cut.';
  return `${derived}# Tools\n\n${intro}\n\n${sections.join("\n")}`;
}

function errorsPage() {
  const rows = Object.entries(errorTable).map(([code, { meaning, retry, hint }]) => [
    `\`${code}\``,
    meaning,
    retry,
    hint,
  ]);
  return `${derived}# Errors\n\n${table(["code", "meaning", "try again", "what to do, unless the error says better"], rows)}\n`;
}

function configurationPage() {
  const section = (command, options) => {
    const rows = Object.entries(options).map(([name, { placeholder, description }]) => [
      `\`${flagName(name)}${placeholder ? ` ${placeholder}` : ""}\``,
      `\`${envName(name)}\``,
      `\`${name}\``,
      description,
    ]);
    return `## farhand ${command}\n\n${table(["option", "environment", "file", ""], rows)}\n`;
  };
  const intro = "Later wins: default, configuration file (`--config FILE`, JSON), environment, option.";
  const commands = [
    section("up", upOptions),
    section("gateway", gatewayOptions),
    section("device-agent", deviceAgentOptions),
    section("device-agent doctor", doctorOptions),
  ];
  return `${derived}# Configuration\n\n${intro}\n\n${commands.join("\n")}`;
}

function readme(text) {
  const byPermission = Object.entries(permissionTable).map(([permission, meaning]) => {
    const names = toolSpecs.filter((spec) => spec.permission === permission).map(({ name }) => `\`${name}\``);
    return [`\`${permission}\``, meaning, names.join(" ") || "none yet"];
  });
  const section = table(["permission", "", "tools"], byPermission);
  const pattern = /(<!-- tools: derived by npm run docs -->\n)[\s\S]*?(<!-- \/tools -->)/;
  if (!pattern.test(text)) throw new TypeError("README.md has lost its markers for the tools.");
  return text.replace(pattern, `$1\n${section}\n\n$2`);
}

function readIfThere(url) {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return "";
  }
}

const pages = [
  [new URL("tools.md", here), toolsPage],
  [new URL("errors.md", here), errorsPage],
  [new URL("configuration.md", here), configurationPage],
  [new URL("../README.md", here), readme],
];
mkdirSync(here, { recursive: true });
let stale = 0;
for (const { name } of toolSpecs.filter((spec) => !examples.has(spec.name))) {
  stale += 1;
  process.stderr.write(`${name} has no example: an entry in docs/examples/story.mjs, then ${howToRenew}\n`);
}
for (const [url, derive] of pages) {
  const before = readIfThere(url);
  const after = derive(before);
  if (before === after) continue;
  stale += 1;
  if (checking) process.stderr.write(`${url.pathname.split("/").slice(-2).join("/")} is out of date: npm run docs\n`);
  else writeFileSync(url, after);
}
process.exit(checking && stale > 0 ? 1 : 0);
