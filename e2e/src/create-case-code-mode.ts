import type { CodeMode } from "@code-mode/contract";
import { createCodeMode } from "@code-mode/runtime";
import type { CaseCodeModeOptions } from "@code-mode/testkit";

/** The product as the cases run it: the bare runtime, without gateway, policy or hooks. */
export function createCaseCodeMode({ tools, config, store }: CaseCodeModeOptions): CodeMode | Promise<CodeMode> {
  return createCodeMode({ tools, config, ...(store === undefined ? {} : { store }) });
}
