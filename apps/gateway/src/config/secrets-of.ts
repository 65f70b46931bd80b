import type { GatewayConfig } from "./load-config.ts";

/** Every value of a configuration that must not show in logs and trajectories. */
export function secretsOf(config: GatewayConfig): readonly string[] {
  const keys = Object.values(config.models.providers ?? {}).map(({ apiKey }) => apiKey);
  const servers = Object.values(config.mcpServers).flatMap(({ env = {}, headers = {} }) => [
    ...Object.values(env),
    ...Object.values(headers),
  ]);
  // short values such as "1" or "true" are settings; removing them would garble everything
  return [config.gateway.token, ...keys, ...servers].filter(
    (value) => value !== undefined && value.length >= 8,
  ) as string[];
}
