import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Instants are milliseconds since 1970. Migrations (migrations.ts) create what is described here. */
export const deviceAgents = sqliteTable("device_agents", {
  /** Hash of tenant and install id. */
  id: text().primaryKey(),
  tenant: text().notNull(),
  installId: text("install_id").notNull(),
  name: text().notNull(),
  version: text().notNull(),
  bootId: text("boot_id").notNull(),
  /** Only ever grows: which connection is the newest, and proof against a replay. */
  connectSeq: integer("connect_seq").notNull(),
  connectedAt: integer("connected_at").notNull(),
});

export const devices = sqliteTable(
  "devices",
  {
    /** Hash of device agent and key. */
    id: text().primaryKey(),
    tenant: text().notNull(),
    deviceAgentId: text("device_agent_id").notNull(),
    key: text().notNull(),
    serial: text().notNull(),
    /** As the device agent would call it; a change of it gives a new name. */
    proposedName: text("proposed_name").notNull(),
    name: text().notNull(),
    /** In lower case: unique per tenant, and the order of lists. */
    foldedName: text("folded_name").notNull(),
    model: text().notNull(),
    androidRelease: text("android_release").notNull(),
    /** ADB's word, or `offline` once the device agent no longer names the phone. */
    state: text().notNull(),
    hint: text(),
    /** A JSON array; set by operators. */
    labels: text().notNull().default("[]"),
    foregroundApp: text("foreground_app"),
    leaseHolder: text("lease_holder"),
    leaseExpiresAt: integer("lease_expires_at"),
    runningTask: text("running_task"),
    asOf: integer("as_of").notNull(),
  },
  (table) => [
    uniqueIndex("devices_name").on(table.tenant, table.foldedName),
    index("devices_device_agent").on(table.deviceAgentId),
  ],
);

/** Files that device agents keep for callers. */
export const files = sqliteTable(
  "files",
  {
    /** Made by the device agent. */
    id: text().primaryKey(),
    tenant: text().notNull(),
    subject: text().notNull(),
    deviceAgentId: text("device_agent_id").notNull(),
    deviceId: text("device_id").notNull(),
    name: text().notNull(),
    mediaType: text("media_type").notNull(),
    bytes: integer().notNull(),
    /** Null while it is not known to be whole. */
    sha256: text(),
    madeAt: integer("made_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("files_expires_at").on(table.expiresAt)],
);

/** Tasks without their events. Every write names its own condition: libsql-tasks.ts. */
export const tasks = sqliteTable(
  "tasks",
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    subject: text().notNull(),
    contextId: text("context_id").notNull(),
    deviceAgentId: text("device_agent_id").notNull(),
    deviceId: text("device_id").notNull(),
    deviceKey: text("device_key").notNull(),
    skill: text().notNull(),
    /** JSON arrays and objects, as everything that is not looked for. */
    scopes: text().notNull(),
    metadata: text().notNull(),
    messageId: text("message_id").notNull(),
    messageDigest: text("message_digest").notNull(),
    state: text().notNull(),
    /** 1 until the state is terminal. */
    open: integer().notNull(),
    statusMessage: text("status_message"),
    statusAt: integer("status_at").notNull(),
    accepted: integer().notNull(),
    cancelRequested: integer("cancel_requested").notNull(),
    lastSeq: integer("last_seq").notNull(),
    lastSourceSeq: integer("last_source_seq").notNull(),
    leaseEndsAt: integer("lease_ends_at"),
    expiresAt: integer("expires_at"),
    createdAt: integer("created_at").notNull(),
    bytes: integer().notNull(),
  },
  (table) => [
    index("tasks_of_owner").on(table.tenant, table.subject, table.statusAt, table.id),
    index("tasks_of_context").on(table.tenant, table.subject, table.contextId, table.createdAt),
    index("tasks_of_device_agent").on(table.deviceAgentId, table.open),
    index("tasks_lease").on(table.leaseEndsAt),
    index("tasks_expiry").on(table.expiresAt),
  ],
);

/** Append only; numbered from 1 without a gap per Task. */
export const taskEvents = sqliteTable(
  "task_events",
  {
    taskId: text("task_id").notNull(),
    seq: integer().notNull(),
    at: integer().notNull(),
    kind: text().notNull(),
    /** The event in JSON, without seq and at. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.seq] })],
);

/** Which message came when: the same one again means the same Task. */
export const taskMessages = sqliteTable(
  "task_messages",
  {
    tenant: text().notNull(),
    subject: text().notNull(),
    messageId: text("message_id").notNull(),
    taskId: text("task_id").notNull(),
    digest: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.subject, table.messageId] }),
    index("task_messages_of_task").on(table.taskId),
  ],
);

export const pushConfigs = sqliteTable(
  "push_configs",
  {
    taskId: text("task_id").notNull(),
    id: text().notNull(),
    tenant: text().notNull(),
    url: text().notNull(),
    token: text(),
    scheme: text(),
    credentials: text(),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.id] }), index("push_configs_of_tenant").on(table.tenant)],
);

/** Which webhook still has to hear of which event. */
export const pushes = sqliteTable(
  "pushes",
  {
    taskId: text("task_id").notNull(),
    configId: text("config_id").notNull(),
    seq: integer().notNull(),
    attempt: integer().notNull(),
    dueAt: integer("due_at").notNull(),
    claimedUntil: integer("claimed_until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.configId, table.seq] }), index("pushes_due").on(table.dueAt)],
);

export const schemaVersions = sqliteTable(
  "schema_versions",
  { version: integer().notNull(), appliedAt: integer("applied_at").notNull() },
  (table) => [primaryKey({ columns: [table.version] })],
);
