import { expect, test } from "vitest";
import { OutputCollector } from "../../../device-agent/adb/shell/output-collector.ts";

const shown = (chunks: string[]) => {
  const collector = new OutputCollector(4);
  for (const chunk of chunks) collector.add(Buffer.from(chunk));
  const { head, tail, total } = collector.ends();
  return [Buffer.from(head).toString(), Buffer.from(tail).toString(), total];
};

test.each([
  [[], ["", "", 0]],
  [["ab"], ["ab", "", 2]],
  [
    ["ab", "cd"],
    ["abcd", "", 4],
  ],
  [
    ["abc", "defg"],
    ["abcd", "efg", 7],
  ],
  [
    ["abcdefgh", "ij", "k"],
    ["abcd", "hijk", 11],
  ],
  [["abcdefghijklmnopqrstuvwxyz"], ["abcd", "wxyz", 26]],
  [[..."abcdefghijklmnopqrstuvwxyz"], ["abcd", "wxyz", 26]],
])("of %j the ends are %j", (chunks, ends) => {
  expect(shown(chunks)).toEqual(ends);
});
