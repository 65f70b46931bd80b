import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the example of the README runs and prints what the README says", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const readme = readFileSync(`${folder}/README.md`, "utf8");
  const [, example = ""] = /```ts runnable\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, expected = ""] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];

  const options = ["--conditions=@code-mode/source", "--input-type=module-typescript", "-"];
  const printed = execFileSync(process.execPath, options, { cwd: folder, input: example, encoding: "utf8" });

  expect(printed).toBe(expected);
});
