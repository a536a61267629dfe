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
} as const;
