import { buildCatalog } from "@code-mode/catalog";
import {
  type CallOptions,
  type Catalog,
  type CodeMode,
  type CodeModeResult,
  type CodeModeTool,
  type ResolvedCodeModeConfig,
  resolveCodeModeConfig,
  type ToolSet,
} from "@code-mode/contract";

/** Code mode switched on, defaults. */
export const config: ResolvedCodeModeConfig = resolveCodeModeConfig({ enabled: true, maxConcurrentCells: 2 });

/** A core tool; any field may be replaced. */
export function buildTool(fields: Partial<CodeModeTool> & { name: string }): CodeModeTool {
  return { description: `Does ${fields.name}.`, execute: () => null, ...fields };
}

/** An MCP tool. */
export function buildMcpTool(server: string, name: string, description = "x"): CodeModeTool {
  return buildTool({ name, description, origin: { kind: "mcp", server } });
}

/** A catalog of these tools. */
export function catalogOf(...tools: CodeModeTool[]): Catalog {
  const toolSet: ToolSet = { tools };
  return buildCatalog(toolSet);
}

/** A code mode that only notes what it was asked. */
export class NotingCodeMode implements CodeMode {
  readonly calls: { tool: string; input: unknown; options: CallOptions | undefined }[] = [];
  readonly result: CodeModeResult = {
    status: "completed",
    value: 1,
    telemetry: {
      catalogSize: 0,
      sources: { openclaw: 0, mcp: 0, client: 0 },
      searchCount: 0,
      describeCount: 0,
      callCount: 0,
      visibleTools: [],
    },
  };

  async exec(input: unknown, options?: CallOptions): Promise<CodeModeResult> {
    this.calls.push({ tool: "exec", input, options });
    return this.result;
  }

  async wait(input: unknown, options?: CallOptions): Promise<CodeModeResult> {
    this.calls.push({ tool: "wait", input, options });
    return this.result;
  }

  async endRun(): Promise<void> {
    this.calls.length = 0;
  }
  async endSession(): Promise<void> {
    this.calls.length = 0;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.calls.length = 0;
  }
}
