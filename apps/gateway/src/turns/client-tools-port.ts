import type { CodeModeTool, ModelTool, RunScope } from "@code-mode/contract";
import type { ClientToolDefinition } from "./turn.ts";

/** The tools that the client of one agent run answers itself. */
export type OpenClientTools = {
  /** What joins the catalog of the run, as `client:app:<name>`. */
  readonly tools: readonly CodeModeTool[];
  /** Wraps the tools of the model so that a call which waits for the client is held until the client has answered. */
  hold(tools: readonly ModelTool[]): readonly ModelTool[];
  /** The run is over: calls that are still with the client are answered by nobody. */
  close(): void;
};

/** Where the tools of clients come from (GW-2); without this port a turn takes no client tools. */
export type ClientToolsPort = {
  /**
   * Opens the client's tools for one agent run.
   * @throws CodeModeError `invalid_input` naming the tool at fault
   */
  open(scope: RunScope, definitions: readonly ClientToolDefinition[]): OpenClientTools;
};
