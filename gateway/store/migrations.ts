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
  [
    `CREATE TABLE files (
      id text PRIMARY KEY NOT NULL,
      tenant text NOT NULL,
      subject text NOT NULL,
      device_agent_id text NOT NULL,
      device_id text NOT NULL,
      name text NOT NULL,
      media_type text NOT NULL,
      bytes integer NOT NULL,
      sha256 text,
      made_at integer NOT NULL,
      expires_at integer NOT NULL
    )`,
    "CREATE INDEX files_expires_at ON files (expires_at)",
  ],
  [
    `CREATE TABLE tasks (
      id text PRIMARY KEY NOT NULL,
      tenant text NOT NULL,
      subject text NOT NULL,
      context_id text NOT NULL,
      device_agent_id text NOT NULL,
      device_id text NOT NULL,
      device_key text NOT NULL,
      skill text NOT NULL,
      scopes text NOT NULL,
      metadata text NOT NULL,
      message_id text NOT NULL,
      message_digest text NOT NULL,
      state text NOT NULL,
      open integer NOT NULL,
      status_message text,
      status_at integer NOT NULL,
      accepted integer NOT NULL,
      cancel_requested integer NOT NULL,
      last_seq integer NOT NULL,
      last_source_seq integer NOT NULL,
      lease_ends_at integer,
      expires_at integer,
      created_at integer NOT NULL,
      bytes integer NOT NULL
    )`,
    "CREATE INDEX tasks_of_owner ON tasks (tenant, subject, status_at, id)",
    "CREATE INDEX tasks_of_context ON tasks (tenant, subject, context_id, created_at)",
    "CREATE INDEX tasks_of_device_agent ON tasks (device_agent_id, open)",
    "CREATE INDEX tasks_lease ON tasks (lease_ends_at)",
    "CREATE INDEX tasks_expiry ON tasks (expires_at)",
    `CREATE TABLE task_events (
      task_id text NOT NULL,
      seq integer NOT NULL,
      at integer NOT NULL,
      kind text NOT NULL,
      body text NOT NULL,
      PRIMARY KEY (task_id, seq)
    )`,
    `CREATE TABLE task_messages (
      tenant text NOT NULL,
      subject text NOT NULL,
      message_id text NOT NULL,
      task_id text NOT NULL,
      digest text NOT NULL,
      PRIMARY KEY (tenant, subject, message_id)
    )`,
    "CREATE INDEX task_messages_of_task ON task_messages (task_id)",
    `CREATE TABLE push_configs (
      task_id text NOT NULL,
      id text NOT NULL,
      tenant text NOT NULL,
      url text NOT NULL,
      token text,
      scheme text,
      credentials text,
      PRIMARY KEY (task_id, id)
    )`,
    "CREATE INDEX push_configs_of_tenant ON push_configs (tenant)",
    `CREATE TABLE pushes (
      task_id text NOT NULL,
      config_id text NOT NULL,
      seq integer NOT NULL,
      attempt integer NOT NULL,
      due_at integer NOT NULL,
      claimed_until integer NOT NULL,
      PRIMARY KEY (task_id, config_id, seq)
    )`,
    "CREATE INDEX pushes_due ON pushes (due_at)",
  ],
  ["ALTER TABLE devices ADD COLUMN running_task text"],
];
