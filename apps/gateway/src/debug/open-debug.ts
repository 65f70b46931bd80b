import { createDebugLog, type DebugFlags, type DebugLog, debugFlags } from "@code-mode/telemetry";

/** What the debug variables ask for, and the log that says it (DBG-1). */
export type Debug = { readonly flags: DebugFlags; readonly log: DebugLog };

/** Options of `openDebug`. */
export type OpenDebugOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Never appear in a line. */
  readonly secrets: readonly string[];
  write(line: string): void;
};

/** The debug log of a process; nothing while no variable asks for one. A value that means nothing is reported. */
export function openDebug({ env, secrets, write }: OpenDebugOptions): Debug | undefined {
  const flags = debugFlags(env);
  for (const problem of flags.problems) write(`warning: ${problem}`);
  const isOff = !flags.codeMode && !flags.modelTransport && flags.modelPayload === "off" && flags.sse === "off";
  if (isOff) return undefined;
  if (flags.modelPayload === "full-redacted" || flags.sse === "peek")
    write("warning: the debug log is on; prompts and message text may appear in it.");
  return { flags, log: createDebugLog({ flags, secrets, write }) };
}
