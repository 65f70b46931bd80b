import { expect, it } from "vitest";
import { createHost } from "../src/compose.ts";
import { resolveConfig } from "../src/config/load-config.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

const scopeOf = (agentId: string) => ({ agentId, sessionId: agentId, sessionKey: agentId, agentRunId: agentId });

it("CFG-5 cells of an agent run under its own limits, and its model reads them", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig(
    {
      tools: { codeMode: { enabled: true, maxOutputBytes: 2048 } },
      agents: {
        small: {
          tools: { codeMode: { maxOutputBytes: 1024, languages: ["javascript"], memoryLimitBytes: 16_777_216 } },
        },
        direct: { tools: { codeMode: false } },
      },
    },
    { baseDir: folder.path },
  );
  await using host = await createHost({ config });
  const run = async (agentId: string, code: string, language = "javascript") => {
    const { tools } = await host.activate(scopeOf(agentId));
    const exec = tools.find(({ name }) => name === "exec");
    return (await exec?.call({ code, language }, { scope: scopeOf(agentId) })) as { status: string; code?: string };
  };
  const long = "return 'x'.repeat(1500)";
  expect((await run("main", long)).status).toBe("completed");
  expect(await run("small", long)).toMatchObject({ status: "failed", code: "output_limit_exceeded" });
  expect(await run("small", "return 1", "typescript")).toMatchObject({ status: "failed", code: "invalid_input" });
  const hungry =
    "const kept = []; for (let n = 0; n < 24; n++) kept.push(new Uint8Array(1024 * 1024).fill(1)); return kept.length";
  expect(await run("main", hungry)).toMatchObject({ status: "completed", value: 24 });
  expect(await run("small", hungry)).toMatchObject({ status: "failed", code: "memory_limit_exceeded" });
  const described = async (agentId: string) =>
    (await host.activate(scopeOf(agentId))).tools.find(({ name }) => name === "exec")?.description;
  expect(await described("small")).not.toBe(await described("main"));
  expect((await host.activate(scopeOf("direct"))).tools.map(({ name }) => name)).not.toContain("wait");
});
