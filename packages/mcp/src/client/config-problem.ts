import { didYouMean } from "@code-mode/contract";
import { isHttpConfig, isStdioConfig, type McpServerConfig } from "./server-config.ts";

/** Keys of an entry; `type` comes from the format of other clients and says nothing that the rest does not. */
const known = ["type", "command", "args", "env", "cwd", "url", "headers", "timeoutMs", "disabled"];

/** Why a configuration cannot be used, or nothing. */
export function configProblem(config: McpServerConfig): string | undefined {
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown !== undefined)
    return `its entry has the unknown key ${JSON.stringify(unknown)}.${didYouMean(unknown, known)} Known keys are ${known.join(", ")}`;
  if (isStdioConfig(config)) return config.command.trim() === "" ? "its command is empty; name a program" : undefined;
  if (!isHttpConfig(config)) return 'it has neither "command" nor "url"; give one of them';
  if (!URL.canParse(config.url)) return "its url is not valid; give an absolute http or https URL";
  return /^https?:$/.test(new URL(config.url).protocol) ? undefined : "its url is not http or https";
}
