import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { SharedSetup } from "@code-mode/bridge";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { capMemory } from "./cap-memory.ts";
import { loadGuestSources } from "./guest-sources.ts";
import { buildTemplate } from "./template.ts";

/** QuickJS's own stack bound; without it deep recursion traps the VM. The worker's stack is 8 MiB. */
const maxStackBytes = 256 * 1024;

const wasmPageBytes = 65_536;

/** Room above the guest's heap limit: reallocations hold two copies, the template itself takes 1.5 MB. */
const headroom = 1.25;
const templateRoomBytes = 2 * 1024 * 1024;

/**
 * Compiles the engine with a hard memory maximum and builds the template image: once per memory limit, then shared by
 * every thread.
 * @throws CodeModeError `runtime_unavailable`
 */
export async function loadEngineParts(memoryLimitBytes: number): Promise<SharedSetup> {
  try {
    const wasmPath = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
    const [wasm, sources] = await Promise.all([readFile(wasmPath), loadGuestSources()]);
    const maxPages = Math.ceil((memoryLimitBytes * headroom + templateRoomBytes) / wasmPageBytes);
    const module = await WebAssembly.compile(capMemory(wasm, maxPages));
    const template = await buildTemplate(module, sources, { memoryLimitBytes, maxStackBytes });
    return { module, template, memoryLimitBytes, maxStackBytes, lazySources: sources.lazy };
  } catch (error) {
    throw new CodeModeError(
      "runtime_unavailable",
      `the QuickJS-WASI engine could not be loaded: ${messageOf(error)}. Reinstall quickjs-wasi 3.7.0; tools are not shown without it.`,
      { cause: error },
    );
  }
}
