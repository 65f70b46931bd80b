import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

describe("README", () => {
  it("the example runs and prints what the page shows", () => {
    const page = readFileSync(`${folder}README.md`, "utf8");
    const [, program, output] = /```js runnable\n([\s\S]*?)```\n+```text output\n([\s\S]*?)```/.exec(page) ?? [];
    const run = spawnSync(process.execPath, ["--conditions=@code-mode/source", "--input-type=module", "-"], {
      cwd: folder,
      input: program ?? "",
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    expect(run.stdout).toBe(output);
  });
});
