import type { JsonValue } from "@code-mode/contract";
import type { McpServerConfig } from "../config/config-schema.ts";
import type { GatewayConfig } from "../config/load-config.ts";
import { secretsOf } from "../config/secrets-of.ts";

const mask = "***";

/**
 * The configuration as scopes of plugin namespaces may see it: the shape of the file, every secret masked. What other
 * programs get as environment or headers is masked whole, because any of it may be a secret.
 */
export function configView(config: GatewayConfig): JsonValue {
  const { workspace, gateway, models, agents, tools, plugins } = config;
  const servers = Object.entries(config.mcpServers).map(([name, server]) => [name, serverView(server)] as const);
  const view = {
    workspace,
    gateway: { host: gateway.host, port: gateway.port, dataDir: gateway.dataDir },
    models,
    agents,
    tools,
    mcp: { servers: Object.fromEntries(servers) },
    plugins,
  };
  const secrets = secretsOf(config);
  return JSON.parse(JSON.stringify(view), (_key, value: unknown) =>
    typeof value === "string" ? withoutSecrets(value, secrets) : value,
  ) as JsonValue;
}

function serverView(server: McpServerConfig): object {
  const { env, headers, url, ...rest } = server;
  return {
    ...rest,
    ...(url === undefined ? {} : { url: withoutUserInfo(url) }),
    ...(env === undefined ? {} : { env: masked(env) }),
    ...(headers === undefined ? {} : { headers: masked(headers) }),
  };
}

function masked(values: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.keys(values).map((key) => [key, mask]));
}

function withoutUserInfo(url: string): string {
  if (!URL.canParse(url)) return mask;
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = mask;
  if (parsed.username !== "") parsed.username = mask;
  return parsed.href;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
}
