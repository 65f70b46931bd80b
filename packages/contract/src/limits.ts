const KiB = 1024;
const MiB = 1024 * KiB;

/** One number that an operator may set: its default, its range and what it bounds. */
export type Limit = {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit: "ms" | "bytes" | "seconds" | "count";
  readonly description: string;
  /** Set once for the process; an agent cannot override it. */
  readonly global?: true;
};

/** The one table of limits: parser, JSON Schema, documentation and tests read it (CFG-2). */
export const codeModeLimits = {
  timeoutMs: {
    default: 10_000,
    min: 100,
    max: 60_000,
    unit: "ms",
    description:
      "Budget of one exec or wait call, counted from the moment the cell gets a worker. A guest that still computes then is ended 250 ms later at the latest.",
  },
  memoryLimitBytes: {
    default: 64 * MiB,
    min: MiB,
    max: 1024 * MiB,
    unit: "bytes",
    description: "Heap of one guest. A reply to the guest may hold a sixteenth of it.",
  },
  maxOutputBytes: {
    default: 64 * KiB,
    min: KiB,
    max: 10 * MiB,
    unit: "bytes",
    description: "UTF-8 JSON bytes of output plus value over the whole cell, across waits.",
  },
  maxSnapshotBytes: {
    default: 10 * MiB,
    min: KiB,
    max: 256 * MiB,
    unit: "bytes",
    description: "Stored (packed) bytes of one suspended cell.",
  },
  maxPendingToolCalls: {
    default: 16,
    min: 1,
    max: 128,
    unit: "count",
    description: "Nested calls of one cell that run at the same time; 128 more queue.",
  },
  snapshotTtlSeconds: {
    default: 900,
    min: 1,
    max: 86_400,
    unit: "seconds",
    description: "Life of a suspended cell without a wait; parking again starts it anew.",
  },
  maxSearchLimit: { default: 50, min: 1, max: 50, unit: "count", description: "Most entries one search returns." },
  searchDefaultLimit: {
    default: 8,
    min: 1,
    max: 50,
    unit: "count",
    description: "Entries a search returns when the program does not say; never more than maxSearchLimit.",
  },
  maxSuspendedRuns: {
    default: 64,
    min: 1,
    max: 100_000,
    unit: "count",
    description: "Suspended cells held at once.",
    global: true,
  },
  maxSourceBytes: {
    default: 256 * KiB,
    min: KiB,
    max: MiB,
    unit: "bytes",
    description: "UTF-8 bytes of one program: engines compile hostile megabytes for seconds.",
  },
  maxConcurrentCells: {
    default: 2,
    min: 1,
    max: 64,
    unit: "count",
    description: "Guests that compute at the same time. Default: the CPU cores, at least 2.",
    global: true,
  },
} as const satisfies Record<string, Limit>;

/** Name of a numeric limit. */
export type CodeModeLimitName = keyof typeof codeModeLimits;

/** Bounds that nobody configures; each says why it has its value. */
export const fixedLimits = {
  /** A tool input larger than this is a data transfer; the guest gets a catchable error. */
  maxToolInputBytes: MiB,
  /** A reply may fill a sixteenth of the guest's heap: JSON text grows about sevenfold when parsed. */
  replyShareOfMemory: 16,
  /** Deeper values overflow recursive consumers on the host (schema validators, serializers). */
  maxValueDepth: 500,
  /** Calls that wait for a free slot in one cell; a program that needs more should await in batches. */
  maxQueuedToolCalls: 128,
  /** The worker is ended this long after its deadline: native loops never reach the interrupt handler. */
  watchdogGraceMs: 250,
  /** Reason text of yield_control kept in results. */
  maxYieldReasonLength: 256,
  /** Values kept by results.save for one agent run. */
  maxResultEntries: 64,
  maxResultBytes: 16 * MiB,
} as const;
