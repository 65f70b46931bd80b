import { runProgram } from "./cli/run-program.ts";

await runProgram(process.argv);
