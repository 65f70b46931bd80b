import type { CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import { runCommand } from "./run-command.ts";
import { shellEnvironment } from "./shell-environment.ts";
import type { Workspace } from "./workspace.ts";

const defaultTimeoutMs = 60_000;
const maxTimeoutMs = 600_000;
/** Of each stream, half from its start and half from its end. */
const maxOutputBytes = 128 * 1024;

/** What `exec` takes from its host. */
export type ExecToolOptions = {
  /** Environment that the passed names are taken from. Default the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** The core tool `exec`: one shell command in the workspace. Needs an approval unless a rule says otherwise. */
export function createExecTool(workspace: Workspace, options: ExecToolOptions = {}): CodeModeTool {
  return {
    name: "exec",
    label: "Run command",
    description:
      "Run a shell command in the workspace folder. It has no standard input; processes it leaves behind are ended with it.",
    parameters: execParameters,
    outputSchema: execOutput,
    approval: "always",
    execute: async (input, { signal }) => {
      const {
        command = "",
        cwd = ".",
        timeoutMs = defaultTimeoutMs,
      } = fieldsOf<{
        command: string;
        cwd: string;
        timeoutMs: number;
      }>(input);
      const folder = await workspace.resolve(cwd);
      const started = performance.now();
      const report = await runCommand({
        command,
        cwd: folder.absolute,
        env: shellEnvironment(options.env ?? process.env),
        timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
        maxOutputBytes,
        signal,
      });
      return { ...report, durationMs: Math.round(performance.now() - started) };
    },
  };
}

const execParameters = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1, maxLength: 32_768, description: "For /bin/sh." },
    cwd: { type: "string", description: "Folder to run in, relative to the workspace. Default the workspace." },
    timeoutMs: {
      type: "integer",
      minimum: 1,
      maximum: maxTimeoutMs,
      description: `The command and all it started are ended then. Default ${defaultTimeoutMs}.`,
    },
  },
  required: ["command"],
  additionalProperties: false,
};

const execOutput = {
  type: "object",
  properties: {
    exitCode: { type: "integer", description: "Absent when a signal ended the command." },
    signal: { type: "string" },
    stdout: { type: "string" },
    stderr: { type: "string" },
    truncated: { type: "boolean", description: "The middle of a long output was left out." },
    timedOut: { type: "boolean" },
    durationMs: { type: "integer" },
  },
  required: ["stdout", "stderr", "truncated", "timedOut", "durationMs"],
  additionalProperties: false,
};
