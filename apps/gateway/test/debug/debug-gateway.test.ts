import { expect, it } from "vitest";
import { resolveConfig } from "../../src/config/load-config.ts";
import { openDebug } from "../../src/debug/open-debug.ts";
import { openGateway } from "../../src/open-gateway.ts";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const secret = "a-secret-of-this-test-0815";

it("DBG-1 a turn with code mode logs exec and wait as its only tools and what its cell does, without any secret", async () => {
  using folder = new TemporaryFolder();
  const code = `return (await tools.ls({})).entries.length + ${JSON.stringify(secret)}.length`;
  folder.write(
    "script.json5",
    JSON.stringify({ steps: [{ toolCalls: [{ name: "exec", input: { code } }] }, { text: `done ${secret}` }] }),
  );
  const providers = { s: { api: "scripted" as const, script: "./script.json5", apiKey: secret } };
  const config = resolveConfig(
    { models: { default: "s/x", providers }, tools: { codeMode: true } },
    { baseDir: folder.path },
  );
  const lines: string[] = [];
  const env = {
    OPENCLAW_DEBUG_CODE_MODE: "1",
    OPENCLAW_DEBUG_MODEL_TRANSPORT: "1",
    OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted",
    OPENCLAW_DEBUG_SSE: "peek",
  };
  const debug = openDebug({ env, secrets: [secret], write: (line) => lines.push(line) });
  const store = createMemoryTranscriptStore();
  await using gateway = await openGateway({ config, token: secret, store, debug, http: { port: 0 } });
  await gateway.turns.run("one", { message: `list ${secret}` });
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  expect(has(/^\[model-payload\] tools \{"names":\["exec","wait"\]\}$/)).toBe(true);
  expect(has(/^\[code-mode\] surface \{"agentId":"main".*"tools":\["exec","wait"\]\}$/)).toBe(true);
  expect(has(/^\[code-mode\] cell started .*"sourceBytes":\d+/)).toBe(true);
  expect(has(/^\[code-mode\] call ended .*"toolId":"openclaw:core:ls","ok":true/)).toBe(true);
  expect(has(/^\[code-mode\] cell result .*"status":"completed"/)).toBe(true);
  expect(has(/^\[model-transport\] response .*"status":200/)).toBe(true);
  expect(has(/^\[sse\] /)).toBe(true);
  expect(lines.join("\n")).not.toContain(secret);
});
