import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, isJsonObject } from "./json-guards.ts";
import type { HookScript } from "./scripted-hooks.ts";

type Prose = { readonly words: RegExp; make(match: RegExpExecArray): HookScript };

const proses: readonly Prose[] = [
  {
    words: /^before_tool_call: (\w+)\.(\w+) = (.+)$/,
    make: (match) => {
      const value = JSON.parse(match[3] ?? "null") as JsonValue;
      return ({ toolName, input }) =>
        toolName === match[1] && isJsonObject(input) ? { input: { ...input, [match[2] ?? ""]: value } } : undefined;
    },
  },
  { words: /^before_tool_call(: allow all| records ctx)$/, make: () => () => undefined },
  {
    words: /^before_tool_call: (block|throw|hang) (\w+)$/,
    make:
      ([, act, tool]) =>
      ({ toolName }) => {
        if (toolName !== tool) return undefined;
        return act === "block" ? { block: true, reason: "blocked by script" } : (act as "throw" | "hang");
      },
  },
];

/** True if every hook of the case is prose that `hookScriptsOf` understands. */
export function areKnownHooks(hooks: JsonValue | undefined): boolean {
  return asList(hooks).every((prose) => proses.some(({ words }) => words.test(String(prose))));
}

/**
 * The hooks that a case describes.
 * @throws TypeError for prose that nobody here understands
 */
export function hookScriptsOf(input: JsonObject): readonly HookScript[] {
  return asList(input.hooks).map((described) => {
    for (const { words, make } of proses) {
      const match = words.exec(String(described));
      if (match !== null) return make(match);
    }
    throw new TypeError(`no hook here does "${String(described)}"`);
  });
}
