import type { TurnFault } from "@code-mode/bridge";
import type { CodeModeError } from "@code-mode/contract";
import type { LostTurn } from "@code-mode/supervisor";

/** How one exec or wait call left its cell. */
export type CellEnd =
  | { readonly kind: "done"; readonly valueJson: string | undefined; readonly valueBytes: number }
  | { readonly kind: "fault"; readonly fault: TurnFault }
  | { readonly kind: "lost"; readonly end: LostTurn["end"] }
  | { readonly kind: "error"; readonly error: CodeModeError }
  | {
      readonly kind: "snapshot";
      readonly reason: "too_large" | "engine";
      readonly bytes: number;
      readonly message: string;
    }
  | { readonly kind: "suspend"; readonly reason: "pending_tools" | "yield"; readonly yieldReason: string | undefined };
