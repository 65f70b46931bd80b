import { SourceProblem } from "./source-problem.ts";

const instead =
  'Programs have no modules: call tools as tools.<name>(input) or MCP.<server>.<tool>(input), and find them with await tools.search("what you need")';

/** The refusal of one use of the module system, with what to write in its place (EXEC-4). */
export function refuseModuleAccess(what: string, offset: number): SourceProblem {
  return new SourceProblem("refused", `${describe(what)}. ${instead}.`, offset);
}

function describe(what: string): string {
  switch (what) {
    case "import":
      return "`import` is not available";
    case "import()":
      return "`import(...)` is not available";
    case "import.meta":
      return "`import.meta` is not available";
    case "export":
      return "`export` is not available; end the program with `return <value>` (only `export default` of a function that is the program is accepted)";
    default:
      return `\`${what}\` is not defined here`;
  }
}
