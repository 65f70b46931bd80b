/** A JSON-RPC error as an HTTP answer; its body is an `{error: {code, message}}` like every error of the gateway. */
export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

/** True if a body opens a session of the 2025 protocol. */
export function opensSession(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some((message) => fieldsOf(message).method === "initialize");
}

/** Ids of the tool calls in a body. */
export function callIdsOf(body: unknown): readonly (string | number)[] {
  return (Array.isArray(body) ? body : [body]).flatMap((message) => {
    const { method, id } = fieldsOf(message);
    return method === "tools/call" && (typeof id === "string" || typeof id === "number") ? [id] : [];
  });
}

/** Name and version that a client of the 2026 protocol gives with each request; empty where it gives none. */
export function clientOf(body: unknown): string {
  const meta = fieldsOf(fieldsOf(fieldsOf(body).params)._meta);
  const { name, version } = fieldsOf(meta["io.modelcontextprotocol/clientInfo"]);
  return JSON.stringify([name ?? "", version ?? ""]);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
