import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { capMemory } from "../src/cap-memory.ts";
import { type GuestSources, loadGuestSources } from "../src/guest-sources.ts";
import { buildTemplate } from "../src/template.ts";

const options = { memoryLimitBytes: 16 * 1024 * 1024, maxStackBytes: 256 * 1024 };

describe("template", () => {
  let module: object;
  let sources: GuestSources;
  beforeAll(async () => {
    const wasm = await readFile(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
    module = await WebAssembly.compile(capMemory(wasm, 512));
    sources = await loadGuestSources();
  });

  it("WAIT-3 the same prelude gives the same image, so that another process can resume its snapshots", async () => {
    const [one, two] = [await buildTemplate(module, sources, options), await buildTemplate(module, sources, options)];
    expect(two.id).toBe(one.id);
    expect(one.id).toMatch(/^[0-9a-f]{32}$/);
    expect(Buffer.compare(one.memory, two.memory)).toBe(0);
  });

  it("WAIT-3 another prelude gives another id, so that its snapshots are told apart", async () => {
    const { id } = await buildTemplate(module, sources, options);
    const changed = { ...sources, prelude: `(() => { globalThis.extra = 1; return (${sources.prelude}) })()` };
    expect((await buildTemplate(module, changed, options)).id).not.toBe(id);
  });
});
