import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as schema from "../../../gateway/store/schema.ts";
import { createTaskBench, type TaskBench } from "./support/task-bench.ts";

let bench: TaskBench;

beforeEach(async () => {
  bench = await createTaskBench();
});
afterEach(() => bench.remove());

const described = Object.values(schema)
  .filter((table) => is(table, SQLiteTable))
  .map((table) => getTableConfig(table));

it("the migrations make every table that is described, and no other", async () => {
  const made = await bench.read("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  expect(made.map(({ name }) => name).sort()).toEqual(described.map(({ name }) => name).sort());
});

it.each(described.map((table) => [table.name, table] as const))(
  "%s is made as it is described",
  async (name, table) => {
    const columns = await bench.read(
      "SELECT name, lower(type) AS type, [notnull] AS required FROM pragma_table_info(?)",
      [name],
    );
    const wanted = table.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      required: column.notNull ? 1 : 0,
    }));
    const byName = (one: { name?: unknown }, other: { name?: unknown }) =>
      String(one.name).localeCompare(String(other.name));
    expect(columns.sort(byName)).toEqual(wanted.sort(byName));

    const keys = await bench.read("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [name]);
    const key = table.primaryKeys[0]?.columns ?? table.columns.filter(({ primary }) => primary);
    expect(keys.map((row) => row.name)).toEqual(key.map((column) => column.name));

    const indexes = await bench.read(
      `SELECT i.name, i.[unique] AS only_one, group_concat(c.name) AS columns FROM pragma_index_list(?) AS i,
      pragma_index_info(i.name) AS c WHERE i.origin = 'c' GROUP BY i.name ORDER BY i.name`,
      [name],
    );
    const wantedIndexes = table.indexes.map(({ config }) => ({
      name: config.name,
      only_one: config.unique ? 1 : 0,
      columns: config.columns.map((column) => Reflect.get(column, "name")).join(),
    }));
    expect(indexes).toEqual(wantedIndexes.sort(byName));
  },
);
