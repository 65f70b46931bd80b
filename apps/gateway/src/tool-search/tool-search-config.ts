import type { GatewayConfig } from "../config/load-config.ts";

/** The other compact surface, with its defaults filled in. */
export type ToolSearchConfig = { readonly maxResults: number };

/** Most tools that one search shows when the configuration says nothing. */
const defaultMaxResults = 20;

/** Tool Search as the configuration wants it; nothing where it is off (POL-3). */
export function toolSearchOf({ tools }: Pick<GatewayConfig, "tools">): ToolSearchConfig | undefined {
  const { toolSearch = false } = tools;
  if (toolSearch === false) return undefined;
  const { enabled = true, maxResults = defaultMaxResults } = toolSearch === true ? {} : toolSearch;
  return enabled ? { maxResults } : undefined;
}
