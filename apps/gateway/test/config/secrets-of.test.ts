import { expect, it } from "vitest";
import { resolveConfig } from "../../src/config/load-config.ts";
import { secretsOf } from "../../src/config/secrets-of.ts";

it("TEL-2 credentials of servers and providers are secrets, and so is a token without its scheme", () => {
  const config = resolveConfig(
    {
      gateway: { auth: { token: "gateway-token-1" } },
      models: { providers: { p: { api: "openai-chat", apiKey: "provider-key-1" } } },
      mcpServers: {
        web: {
          url: "https://x.example/mcp",
          headers: { Authorization: "Bearer long-secret-value-1", "X-Team": "team-42-value" },
        },
        local: { command: "x", env: { GITHUB_TOKEN: "hunter2hunter2", SESSION: "abcdefgh12345678" } },
      },
    },
    { baseDir: "/" },
  );
  expect(secretsOf(config)).toEqual([
    "gateway-token-1",
    "provider-key-1",
    "Bearer long-secret-value-1",
    "long-secret-value-1",
    "team-42-value",
    "hunter2hunter2",
    "abcdefgh12345678",
  ]);
});

it("TEL-2 settings are none: they would blank innocent text", () => {
  const config = resolveConfig(
    {
      mcpServers: {
        web: {
          url: "https://x.example/mcp",
          headers: { Accept: "application/json", "Content-Type": "text/plain", "X-Mode": "1" },
        },
        local: { command: "x", env: { NODE_ENV: "production", HOME_DIR: "/var/lib/service-1", LEVEL: "information" } },
      },
    },
    { baseDir: "/" },
  );
  expect(secretsOf(config)).toEqual([]);
});
