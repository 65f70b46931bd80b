import { isSecretKey } from "@code-mode/telemetry";
import type { GatewayConfig } from "./load-config.ts";

/** Headers that say how to talk, not who is talking: their values would blank innocent text everywhere. */
const plainHeaders =
  /^(?:accept(?:-.*)?|cache-control|connection|content-.*|host|if-.*|mcp-protocol-version|origin|pragma|referer|te|user-agent)$/i;

/** Short values such as "1" or "true" are settings; removing them would garble everything. */
const shortestSecret = 8;

/** Every value of a configuration that must not show in logs and trajectories. */
export function secretsOf(config: GatewayConfig): readonly string[] {
  const keys = Object.values(config.models.providers ?? {}).map(({ apiKey }) => apiKey);
  const servers = Object.values(config.mcpServers).flatMap(({ env = {}, headers = {} }) => [
    ...Object.entries(env).flatMap(([name, value]) => (isSecretKey(name) || looksRandom(value) ? [value] : [])),
    ...Object.entries(headers).flatMap(([name, value]) => (plainHeaders.test(name) ? [] : secretParts(value))),
  ]);
  return [config.gateway.token, ...keys, ...servers].filter(
    (value): value is string => value !== undefined && value.length >= shortestSecret,
  );
}

/** A server may show its credential without the scheme before it. */
function secretParts(value: string): readonly string[] {
  const credential = /^(?:basic|bearer|token)\s+(\S+)$/i.exec(value)?.[1];
  return credential === undefined ? [value] : [value, credential];
}

/** A key has letters and digits and no words: paths, addresses and sentences are none. */
function looksRandom(value: string): boolean {
  return /^[\w+=.~-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}
