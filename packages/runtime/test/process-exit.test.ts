import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const entry = new URL("../src/index.ts", import.meta.url).href;

it("RT-5 idle workers do not keep a process alive that forgot to dispose", async () => {
  const program = `import { createCodeMode } from ${JSON.stringify(entry)}; console.log((await createCodeMode({ tools: [] }).exec({ code: "return 6 * 7" })).value)`;
  const child = spawn(process.execPath, ["--conditions=@code-mode/source", "--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "exit");
  expect([code, output.trim()]).toEqual([0, "42"]);
});
