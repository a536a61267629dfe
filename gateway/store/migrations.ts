/**
 * Every change of the schema in order, additive only; an entry never changes once it was released. As strings, since
 * Workers have no files.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE device_agents (
      id text PRIMARY KEY NOT NULL,
      tenant text NOT NULL,
      install_id text NOT NULL,
      name text NOT NULL,
      version text NOT NULL,
      boot_id text NOT NULL,
      connect_seq integer NOT NULL,
      connected_at integer NOT NULL
    )`,
    `CREATE TABLE devices (
      id text PRIMARY KEY NOT NULL,
      tenant text NOT NULL,
      device_agent_id text NOT NULL,
      key text NOT NULL,
      serial text NOT NULL,
      proposed_name text NOT NULL,
      name text NOT NULL,
      folded_name text NOT NULL,
      model text NOT NULL,
      android_release text NOT NULL,
      state text NOT NULL,
      hint text,
      labels text NOT NULL DEFAULT '[]',
      foreground_app text,
      as_of integer NOT NULL
    )`,
    "CREATE UNIQUE INDEX devices_name ON devices (tenant, folded_name)",
    "CREATE INDEX devices_device_agent ON devices (device_agent_id)",
  ],
  ["ALTER TABLE devices ADD COLUMN lease_holder text", "ALTER TABLE devices ADD COLUMN lease_expires_at integer"],
];
