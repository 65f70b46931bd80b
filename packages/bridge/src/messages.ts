import type { CodeModeLanguage, CodeModeOutput, GuestError, PositionMap } from "@code-mode/contract";

/** Kinds of asynchronous guest calls. `call` runs a catalogued tool; the others are answered by the host itself. */
export const bridgeCallKinds = [
  "call",
  "native",
  "search",
  "describe",
  "namespace",
  "api.list",
  "api.read",
  "api.search",
  "mcp.api",
  "mcp.search",
  "results.save",
  "results.load",
  "results.delete",
] as const;

/** One kind of `bridgeCallKinds`: `native` is `tools.call(idOrName)`, `call` an exact catalog id found by the guest's own lookup. */
export type BridgeCallKind = (typeof bridgeCallKinds)[number];

/** One guest call as it leaves the VM: `[sequence, kind, target, payload]`. */
export type BridgeCall = {
  readonly sequence: number;
  readonly kind: BridgeCallKind;
  readonly target: string;
  readonly payload: unknown;
};

/** One settled call on its way into the VM; `mcp` marks a native MCP result, which gets a `.data` getter. */
export type BridgeReply =
  | { readonly sequence: number; readonly ok: true; readonly json: string; readonly mcp?: boolean }
  | { readonly sequence: number; readonly ok: false; readonly error: GuestError };

/** Per-run bounds that the thread enforces. */
export type ThreadLimits = {
  readonly maxOutputBytes: number;
  readonly maxToolInputBytes: number;
  /** Calls that may be unanswered at once, queued ones included. */
  readonly maxOutstandingCalls: number;
  readonly maxSnapshotBytes: number;
  /** Value texts above this are not copied out of the VM. */
  readonly maxValueBytes: number;
};

/** Output of a cell so far, in UTF-8 JSON bytes; part of the state that survives suspension. */
export type OutputUse = { readonly usedBytes: number; readonly omittedBytes: number };

/** The template that every VM of a pool starts from; deltas apply to exactly this image. */
export type TemplateImage = {
  readonly id: string;
  /** Backed by a SharedArrayBuffer: copying it into a worker would touch 1.5 MB of fresh pages. */
  readonly memory: Uint8Array;
  readonly stackPointer: number;
  readonly runtimePointer: number;
  readonly contextPointer: number;
  /** Boxed value of the guest's entry function inside the image. */
  readonly entryPointer: number;
};

/** What all threads of a pool share. */
export type SharedSetup = Omit<ThreadSetup, "control" | "outputNotes">;

/** What a worker thread gets once. */
export type ThreadSetup = {
  /** The compiled engine, a `WebAssembly.Module`: shared by all threads, never compiled twice. */
  readonly module: object;
  readonly template: TemplateImage;
  readonly memoryLimitBytes: number;
  readonly maxStackBytes: number;
  /** Int32 cell: the number of the turn to interrupt. */
  readonly control: SharedArrayBuffer;
  /** Output of the running turn, readable when the thread had to be ended. */
  readonly outputNotes: SharedArrayBuffer;
  readonly lazySources: { readonly [name: string]: string };
};

/** A packed VM: the page delta plus the few numbers that live outside linear memory. */
export type PackedVm = { readonly bytes: Uint8Array; readonly rootPointer: number };

type Turn = { readonly cellId: string; readonly turn: number; readonly budgetMs: number };

/** Main thread → worker. */
export type HostMessage =
  | ({ readonly type: "setup" } & ThreadSetup)
  | { readonly type: "catalog"; readonly hash: string; readonly text: string }
  | (Turn & {
      readonly type: "start";
      readonly catalogHash: string;
      readonly code: string;
      readonly language: CodeModeLanguage;
      readonly typescriptEnabled: boolean;
      /** Load the compiler before the clock starts, and say when that is done. */
      readonly loadCompiler: boolean;
      readonly limits: ThreadLimits;
      /** JSON text of the run's namespaces descriptor. */
      readonly namespaces?: string;
    })
  | (Turn & {
      readonly type: "resume";
      readonly catalogHash: string;
      readonly packed: PackedVm;
      readonly limits: ThreadLimits;
      readonly outputUse: OutputUse;
      readonly replies: readonly BridgeReply[];
      readonly endYield: boolean;
    })
  | (Turn & { readonly type: "deliver"; readonly replies: readonly BridgeReply[] })
  | { readonly type: "park"; readonly cellId: string }
  | { readonly type: "drop"; readonly cellId: string };

/** An error of the program as read inside the guest; text is bounded, `stack` is QuickJS's. */
export type GuestFailure = {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly toolId?: string;
  readonly details?: unknown;
  /** A nested call failed and the program did not catch it; only the bridge can make such an error. */
  readonly fromHost?: boolean;
};

/** Why a turn ended badly, decided by host flags, never by message text. */
export type TurnFault =
  | { readonly kind: "guest"; readonly failure: GuestFailure }
  | {
      readonly kind: "invalid_source";
      readonly message: string;
      readonly line?: number;
      readonly column?: number;
      /** The position is one of the evaluated body, not of the submitted source. */
      readonly generated?: true;
    }
  | { readonly kind: "timeout" | "aborted" | "memory" | "never_settles" }
  | { readonly kind: "engine"; readonly message: string };

/** How the guest stands when its job queue is empty. */
export type TurnState =
  | { readonly kind: "idle"; readonly timerMs?: number }
  | { readonly kind: "yield"; readonly reason?: string }
  | { readonly kind: "done"; readonly valueJson: string | undefined; readonly valueBytes: number }
  | { readonly kind: "fault"; readonly fault: TurnFault };

/** What the preparation of the source found out; sent with the first turn. */
export type PreparedInfo = { readonly positions: PositionMap; readonly implicitValue: boolean };

/** Worker → main thread. */
export type ThreadMessage =
  | { readonly type: "online" }
  | { readonly type: "ready" }
  | { readonly type: "setup_failed"; readonly message: string }
  /** The compiler is loaded: from here on the cell's budget runs (WAIT-6). Sent only when the host asked for it. */
  | { readonly type: "clock_started"; readonly cellId: string }
  | {
      readonly type: "turn";
      readonly turn: number;
      readonly state: TurnState;
      /** JSON text of `[sequence, kind, target, payload][]`, "" when the guest made no call. */
      readonly callsJson: string;
      /** Both when there is output, or output that did not fit. */
      readonly output?: readonly CodeModeOutput[];
      readonly outputUse?: OutputUse;
      readonly hints?: readonly string[];
      readonly prepared?: PreparedInfo;
    }
  | { readonly type: "parked"; readonly cellId: string; readonly packed: PackedVm }
  | {
      readonly type: "park_failed";
      readonly cellId: string;
      readonly reason: "too_large" | "engine";
      readonly bytes: number;
      readonly message: string;
    };
