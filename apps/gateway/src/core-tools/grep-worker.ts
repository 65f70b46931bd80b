// Thread of one search: gets the job as workerData, answers with one message.
import { parentPort, workerData } from "node:worker_threads";
import { type GrepJob, grepFiles } from "./grep-files.ts";

parentPort?.postMessage(grepFiles(workerData as GrepJob));
