// Reads the one result file of the test run and closes with the line CI reads.
import { existsSync, readFileSync } from "node:fs";

const file = ".results/vitest.json";
const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;

/** A file that failed before its first test counts as one failure, or a broken import would look like a pass. */
const brokenFiles =
  results?.testResults.filter((suite) => suite.status === "failed" && suite.assertionResults.length === 0).length ?? 0;
const passed = results?.numPassedTests ?? 0;
const failed = results === undefined ? 1 : results.numFailedTests + brokenFiles;
const skipped = results === undefined ? 0 : results.numPendingTests + results.numTodoTests;

if (results === undefined) console.log(`${file} is missing: the test run ended before it could write its results`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
