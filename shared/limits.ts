/** Every limit of the product in one place. Sizes in bytes, times in milliseconds. */
export const limits = {
  mcpBodyBytes: 32 * 1024,
  toolArgumentsBytes: 16 * 1024,
  toolNameBytes: 128,
  /** A whole MCP response, pictures included, so that no client refuses it. */
  responseBytes: 1_000_000,
  /** One picture in base64, whatever was asked for. */
  pictureBase64Bytes: 3 * 1024 * 1024,
  pictureWidth: 540,
  pictureMaxSide: 1568,
  pictureQuality: 70,
  linkFrameBytes: 8 * 1024 * 1024,
  streamChunkBytes: 256 * 1024,
  /** Unsent bytes on one socket after which nothing more is queued. */
  linkBufferBytes: 16 * 1024 * 1024,
  pingMs: 25_000,
  /** No tool call lasts longer at the gateway; clients give up at 60 s. */
  callDeadlineMs: 50_000,
  /** How long a call waits for a link that was lost a moment ago. */
  linkGraceMs: 10_000,
  typedTextChars: 10_000,
  tapTextChars: 100,
  addressChars: 2048,
  logLineChars: 500,
  /** All lines of one look into the log together. */
  logChars: 100_000,
  /** Texts in one answer of read_text. */
  readTexts: 100,
  picturesKept: 32,
  pictureAgeMs: 10 * 60_000,
  answerAgeMs: 10 * 60_000,
  answerMinAgeMs: 60_000,
  answersBytes: 32 * 1024 * 1024,
  a2aBodyBytes: 1_000_000,
  /** All text of one message together, in UTF-8. */
  messageTextBytes: 8_192,
  /** Task, context and message ids. */
  taskIdBytes: 256,
  activeTasksPerDeviceAgent: 16,
  taskDocumentBytes: 4 * 1024 * 1024,
  /** Per tenant; the oldest finished ones go first. */
  keptTasks: 200,
  keptTaskBytes: 64 * 1024 * 1024,
  /** How long a Task waits for its phone and its turn, and for an answer to what it asked. */
  taskWaitMs: 15 * 60_000,
  taskAnswerMs: 15 * 60_000,
  /** No word of a device agent for so long, and the Task is lost. The device agent stops acting `taskMarginMs` earlier. */
  taskLeaseMs: 90_000,
  taskMarginMs: 15_000,
  taskBeatMs: 20_000,
  /** How long a blocking SendMessage waits at most. */
  sendWaitMs: 10 * 60_000,
  /** An Artifact's bytes up to this size are stored with the Task, larger ones stay in the spool. */
  inlineArtifactBytes: 256 * 1024,
  pushConfigsPerTask: 8,
  pushConfigsPerTenant: 200,
  queuePerDevice: 32,
  callsPerDeviceAgent: 64,
  commandChars: 4_000,
  commandMs: 40_000,
  /** Of each output of a command, as it is shown. */
  outputBytes: 64 * 1024,
  /** Started processes that run at one time, per phone. */
  processes: 8,
  /** Of a started process's output, the first so many bytes are kept. */
  processOutputBytes: 8 * 1024 * 1024,
  processReadBytes: 64 * 1024,
  filePathBytes: 1_000,
  fileReadBytes: 256 * 1024,
  appParts: 16,
  /** One file of an app, and what is kept of unfinished downloads. */
  downloadBytes: 500 * 1024 * 1024,
  /** Files that a device agent keeps for its callers, unfinished uploads included. */
  spoolBytes: 2 * 1024 * 1024 * 1024,
  spoolFiles: 1_000,
  spoolAgeMs: 24 * 60 * 60_000,
  /** How long an unfinished upload waits for its next byte. */
  uploadAgeMs: 60 * 60_000,
} as const;
