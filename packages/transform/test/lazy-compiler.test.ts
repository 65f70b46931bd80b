import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CodeModeError } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { type CompilerLoader, createPrepareSource, type TypeStripper } from "../src/index.ts";

function failing(): CompilerLoader & { loads: string[] } {
  const loads: string[] = [];
  const fail = (name: string) => (): never => {
    loads.push(name);
    throw new Error("not installed");
  };
  return { loads, loadStripper: fail("stripper"), loadLowering: fail("lowering"), dropStripper: () => undefined };
}

describe("TS-2 the compiler", () => {
  it("TS-2 is never loaded for JavaScript, whatever its form", () => {
    const loader = failing();
    const prepare = createPrepareSource({ loader });
    for (const code of [
      "return 1",
      "1 + 1",
      "```js\n() => 1\n```",
      "{ a: 1 }",
      "export default function () {}",
      "function main() {}",
    ]) {
      prepare({ code, language: "javascript", typescriptEnabled: true });
    }
    expect(() => prepare({ code: "import 'x'", language: "javascript", typescriptEnabled: true })).toThrow(
      CodeModeError,
    );
    expect(() => prepare({ code: "let a: number = 1", language: "javascript", typescriptEnabled: false })).toThrow(
      "SyntaxError",
    );
    expect(loader.loads).toEqual([]);
  });

  it("TS-2 a compiler that cannot be loaded fails a TypeScript cell, and leaves a JavaScript cell its own error", () => {
    const loader = failing();
    const prepare = createPrepareSource({ loader });
    expect(() => prepare({ code: "let a: number = 1", language: "typescript", typescriptEnabled: true })).toThrow(
      expect.objectContaining({ code: "runtime_unavailable", message: expect.stringMatching(/not installed/) }),
    );
    expect(() => prepare({ code: "let a: number = 1", language: "javascript", typescriptEnabled: true })).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringMatching(/unexpected `:`/) }),
    );
    expect(loader.loads).toEqual(["stripper", "stripper"]);
  });

  it("TS-2 no compiler module is in a process that prepared JavaScript only", () => {
    const program = `
      import { createRequire } from "node:module";
      import { prepareSource } from "@code-mode/transform";
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => /[\\\\/](amaro|typescript)[\\\\/]/.test(path)).length;
      const prepare = (code, language) => prepareSource({ code, language, typescriptEnabled: true });
      prepare("return 1", "javascript");
      const before = loaded();
      prepare("let a: number = 1", "typescript");
      const after = loaded();
      prepare("@d class A {}", "typescript");
      console.log(JSON.stringify([before, after > 0, loaded() > after]));`;
    const child = spawnSync(process.execPath, ["--conditions=@code-mode/source", "--input-type=module", "-"], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      input: program,
      encoding: "utf8",
    });
    expect(child.stderr).toBe("");
    expect(child.stdout).toBe("[0,true,true]\n");
  });

  it("TS-1 a broken compiler instance is dropped and the text refused", () => {
    let drops = 0;
    const broken: TypeStripper = {
      transformSync: () => {
        throw new WebAssembly.RuntimeError("memory access out of bounds");
      },
    };
    const prepare = createPrepareSource({
      loader: { ...failing(), loadStripper: () => broken, dropStripper: () => void drops++ },
    });
    expect(() => prepare({ code: "let a: number", language: "typescript", typescriptEnabled: true })).toThrow(
      /nested too deeply/,
    );
    expect(drops).toBe(1);
  });
});
