import type { Finding } from "./finding.ts";

/** The findings for a person: the worst word first on each line, what to do below it. */
export function tellFindings(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ level, subject, message, fix }) => {
    const line = `${level.padEnd(4)}  ${subject.padEnd(width)}  ${message}`;
    return fix === undefined ? [line] : [line, `${" ".repeat(width + 8)}→ ${fix}`];
  });
  return [...lines, "", verdict(findings)];
}

/** One JSON object per line; the last one counts. */
export function tellFindingsAsJson(findings: readonly Finding[]): string[] {
  const lines = findings.map((finding) => JSON.stringify({ event: "finding", ...finding }));
  const [ok, warn, fail] = (["ok", "warn", "fail"] as const).map((level) => count(findings, level));
  return [...lines, JSON.stringify({ event: "result", usable: fail === 0, ok, warn, fail })];
}

function verdict(findings: readonly Finding[]): string {
  const [warn, fail] = [count(findings, "warn"), count(findings, "fail")];
  if (fail > 0) return `Not everything can be used: ${fail} failed, ${warn} to look at.`;
  return warn > 0 ? `Usable, with ${warn} to look at.` : "Everything is fine.";
}

function count(findings: readonly Finding[], level: Finding["level"]): number {
  return findings.filter((finding) => finding.level === level).length;
}
