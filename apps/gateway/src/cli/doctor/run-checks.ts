import type { LoadConfigOptions } from "../../config/load-config.ts";
import type { Check } from "./check.ts";
import { checkConfig, checkNode, checkSettings } from "./check-config.ts";
import { checkEngine } from "./check-engine.ts";
import { checkDataFolder, checkPort } from "./check-places.ts";
import { checkTools } from "./check-tools.ts";

/** All checks in the order of their dependencies; what a broken configuration keeps from being checked is left out. */
export async function* runChecks(options: LoadConfigOptions, signal: AbortSignal): AsyncGenerator<Check> {
  yield checkNode();
  const { config, check } = checkConfig(options);
  yield check;
  if (config === undefined) return;
  yield* checkSettings(config, options.env ?? process.env);
  yield await checkEngine(config, signal);
  yield* await checkTools(config, signal);
  yield await checkPort(config, signal);
  yield checkDataFolder(config);
}
