import { expect, test } from "vitest";
import { findJsonFault } from "../../../device-agent/policy/json-fault.ts";

test.each([
  ["{}", undefined],
  ['{"a": [1, 2.5e3, "x\\n", true, null]}', undefined],
  ["", { line: 1, column: 1 }],
  ['{"a": x}', { line: 1, column: 7 }],
  ['{\n  "a": 1,\n}', { line: 3, column: 1 }],
  ['{\n  "a": 1\n  "b": 2\n}', { line: 3, column: 3 }],
  ['{"a" 1}', { line: 1, column: 6 }],
  ['{"a": 1', { line: 1, column: 8 }],
  ["[1, 2", { line: 1, column: 6 }],
  ['{"a": 01}', { line: 1, column: 7 }],
  ['{"a": "open}', { line: 1, column: 7 }],
  ["{} {}", { line: 1, column: 4 }],
  ['// note\n{"a": 1}', { line: 1, column: 1 }],
])("finds the first fault of %j", (text, place) => {
  expect(findJsonFault(text)).toEqual(place);
});
