/** A server that runs as our child process and speaks MCP on its standard streams. */
export type McpStdioServerConfig = {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the small set of variables that every server gets; nothing else of our environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Longest silence of one call in ms; progress starts it anew. Default 60000. */
  readonly timeoutMs?: number;
  readonly disabled?: boolean;
};

/** A server reached over streamable HTTP. */
export type McpHttpServerConfig = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest silence of one call in ms; progress starts it anew. Default 60000. */
  readonly timeoutMs?: number;
  readonly disabled?: boolean;
};

/** One entry of `mcp.servers`, in the format that other MCP clients use too. */
export type McpServerConfig = McpStdioServerConfig | McpHttpServerConfig;

/** True for a server that we start ourselves. */
export function isStdioConfig(config: McpServerConfig): config is McpStdioServerConfig {
  return typeof (config as { command?: unknown }).command === "string";
}

/** True for a server that is reached over HTTP. */
export function isHttpConfig(config: McpServerConfig): config is McpHttpServerConfig {
  return typeof (config as { url?: unknown }).url === "string";
}
