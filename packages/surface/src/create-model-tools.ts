import {
  type CallOptions,
  type Catalog,
  type CodeMode,
  CodeModeError,
  type CodeModeTool,
  type JsonObject,
  type ModelTool,
  type ResolvedCodeModeConfig,
} from "@code-mode/contract";
import { assertDistinctNames } from "./assert-distinct-names.ts";
import { execInputSchema, waitInputSchema } from "./control-schemas.ts";
import { describeExec, type NamespaceText } from "./describe-exec.ts";

/** What `createModelTools` builds the surface from. */
export type ModelToolsOptions = {
  readonly codeMode: CodeMode;
  readonly catalog: Catalog;
  readonly config: ResolvedCodeModeConfig;
  readonly namespaces?: readonly NamespaceText[];
  /** The direct-only tools that stay visible. */
  readonly directTools?: readonly CodeModeTool[];
  /** Runs a direct-only tool; give it the same executor that nested calls take. Needed with `directTools`. */
  callDirectTool?(tool: CodeModeTool, input: unknown, options: CallOptions): Promise<unknown>;
  /** Time of one call over MCP, shown in the description (MCPS-3). */
  readonly mcpBudgetMs?: number | undefined;
  /** Most UTF-8 bytes of the description of `exec`. Default 3,000. */
  readonly descriptionBytes?: number;
};

const waitDescription =
  'Continues a program whose result was {status: "waiting", runId}. Blocks until one of its pending calls has settled or the time of one call is over, and returns completed, failed or waiting again; wait again with the same runId.';

/**
 * The tools a model sees with code mode active: exactly one `exec`, one `wait`, then the direct-only tools (SUR-1).
 * @throws CodeModeError `invalid_input` for a direct-only tool that is named like a control or like another one
 */
export function createModelTools(options: ModelToolsOptions): readonly ModelTool[] {
  const { codeMode, config, directTools = [] } = options;
  assertDistinctNames(directTools);
  if (directTools.length > 0 && options.callDirectTool === undefined)
    throw new CodeModeError(
      "invalid_input",
      "createModelTools got directTools without callDirectTool. Pass a function that runs them.",
    );
  const exec: ModelTool = {
    name: "exec",
    kind: "control",
    description: describeExec({
      catalog: options.catalog,
      config,
      ...(options.namespaces === undefined ? {} : { namespaces: options.namespaces }),
      ...(options.descriptionBytes === undefined ? {} : { budgetBytes: options.descriptionBytes }),
      callBudgetMs: options.mcpBudgetMs,
    }),
    inputSchema: execInputSchema(config),
    call: (input, call) => codeMode.exec(input, call),
  };
  const wait: ModelTool = {
    name: "wait",
    kind: "control",
    description: waitDescription,
    inputSchema: waitInputSchema(),
    call: (input, call) => codeMode.wait(input, call),
  };
  return Object.freeze(
    [exec, wait, ...directTools.map((tool) => directModelTool(tool, options))].map(Object.freeze) as ModelTool[],
  );
}

function directModelTool(tool: CodeModeTool, options: ModelToolsOptions): ModelTool {
  return {
    name: tool.name,
    kind: "direct",
    description: tool.description,
    inputSchema: (typeof tool.parameters === "object"
      ? tool.parameters
      : { type: "object", properties: {} }) as JsonObject,
    call: async (input, call = {}) => options.callDirectTool?.(tool, input, call),
  };
}
