import { didYouMean } from "@code-mode/contract";

/** What the environment asks to be logged (DBG-1). */
export type DebugFlags = {
  readonly codeMode: boolean;
  readonly modelTransport: boolean;
  readonly modelPayload: "off" | "tools" | "full-redacted";
  readonly sse: "off" | "events" | "peek";
  /** Variables whose value means nothing; each text names the accepted ones. */
  readonly problems: readonly string[];
};

const names = {
  codeMode: "OPENCLAW_DEBUG_CODE_MODE",
  modelTransport: "OPENCLAW_DEBUG_MODEL_TRANSPORT",
  modelPayload: "OPENCLAW_DEBUG_MODEL_PAYLOAD",
  sse: "OPENCLAW_DEBUG_SSE",
} as const;

const offWords = ["", "0", "false", "off"];

/** Reads the debug variables; a value that is not understood switches nothing on and is reported. */
export function debugFlags(env: Readonly<Record<string, string | undefined>>): DebugFlags {
  const problems: string[] = [];
  const read = <Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined => {
    const value = env[name]?.trim() ?? "";
    if (offWords.includes(value)) return undefined;
    const choice = choices.find((known) => known === value);
    if (choice === undefined)
      problems.push(
        `${name}: ${JSON.stringify(value.slice(0, 40))} is not known; use ${choices.join(" or ")}.${didYouMean(value, choices)}`,
      );
    return choice;
  };
  return {
    codeMode: read(names.codeMode, ["1"]) !== undefined,
    modelTransport: read(names.modelTransport, ["1"]) !== undefined,
    modelPayload: read(names.modelPayload, ["tools", "full-redacted"]) ?? "off",
    sse: read(names.sse, ["events", "peek"]) ?? "off",
    problems,
  };
}
