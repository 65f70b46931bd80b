import type { CodeModeResult } from "@code-mode/contract";
import { colorsFor, printData } from "../cli/terminal.ts";
import { demoQuestion } from "./demo-program.ts";
import type { TracedControl } from "./parse-trace.ts";
import type { DemoReport } from "./run-demo.ts";

type Colors = ReturnType<typeof colorsFor>;

/** Prints the turn as a trace that reads from top to bottom. */
export async function printDemo(report: DemoReport): Promise<void> {
  const colors = colorsFor(process.stdout);
  const lines = [
    `${colors.bold("user")}    ${demoQuestion}`,
    `${colors.bold("model")}   sees ${report.visibleTools[0]?.join(", ")}`,
    ...report.controls.flatMap((control) => ["", ...controlLines(control, report, colors)]),
    "",
    `${colors.bold("answer")}  ${colors.green(report.answer)}`,
    "",
    ...tokenLines(report, colors),
  ];
  await printData(lines.join("\n"));
}

function controlLines(control: TracedControl, report: DemoReport, colors: Colors): string[] {
  const { name, input, result, durationMs } = control;
  const code = (input as { code?: string } | null)?.code;
  const source = (code ?? JSON.stringify(input)).split("\n").map((line) => `  ${colors.dim("│")} ${line}`);
  const calls = report.calls.filter(({ parentToolCallId }) => parentToolCallId === control.toolCallId);
  return [
    `${colors.bold(name.padEnd(6))}  ${durationMs} ms`,
    ...source,
    ...calls.map((call, index) => {
      const branch = index === calls.length - 1 ? "└─" : "├─";
      const progress = call.progress === 0 ? "" : `, ${call.progress} progress updates`;
      return `  ${branch} ${call.toolId}  ${call.durationMs} ms ${call.ok ? "ok" : colors.red("failed")}${colors.dim(progress)}`;
    }),
    `  → ${describeResult(result)}`,
  ];
}

function describeResult(result: CodeModeResult): string {
  const output = (result.output ?? []).map((item) => (item.type === "text" ? item.text : JSON.stringify(item.value)));
  const said = output.length === 0 ? "" : `, output ${JSON.stringify(output)}`;
  if (result.status === "completed") return `completed ${JSON.stringify(result.value)}${said}`;
  if (result.status === "failed") return `failed (${result.code}) ${result.error}`;
  const pending = (result.pendingToolCalls ?? []).map(
    ({ id, elapsedMs, message }) => `${id} for ${elapsedMs} ms${message === undefined ? "" : ` (${message})`}`,
  );
  return `waiting (${result.reason}) on ${pending.join(", ")}${said}`;
}

function tokenLines({ tokens, controls, durationMs }: DemoReport, colors: Colors): string[] {
  const saved = Math.round((1 - tokens.codeMode / tokens.direct) * 100);
  const nested = `${controls.length} tool calls of the model, ${durationMs} ms`;
  return [
    `${colors.bold("tokens")}  ${tokens.codeMode} for exec and wait instead of ${tokens.direct} for ${tokens.directTools} tools: ${saved} % saved in every request`,
    `${colors.bold("turn")}    ${nested}`,
  ];
}
