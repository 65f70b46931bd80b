import { CliFolder, mcpServerFile } from "../test/cli-process.ts";

/** Tools of the scenarios: ordinary, slow, direct-only and one that the configuration denies. */
const pluginSource = `import { setTimeout as after } from "node:timers/promises";
const text = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
export default {
  id: "kit",
  tools: [
    { name: "greet", description: "Greet somebody by name.", parameters: text,
      execute: ({ name }) => ({ greeting: "hello " + name }) },
    { name: "slow_count", description: "Counts slowly.", parameters: { type: "object" }, replaySafe: true,
      execute: async ({ ms }, { signal }) => { await after(ms, undefined, { signal }); return { counted: 3 }; } },
    { name: "forbidden", description: "Denied by the configuration.", parameters: {}, execute: () => "ran" },
    { name: "screen", description: "Shows a picture.", parameters: {}, catalogMode: "direct-only",
      execute: () => ({ image: "x" }) },
  ],
};
`;

/** A folder with a workspace file, the plugin and whatever else a scenario writes. */
export function scenarioFolder(): CliFolder {
  const folder = new CliFolder();
  folder.write("work/a.txt", "apples\n");
  folder.write("kit.mjs", pluginSource);
  return folder;
}

/** A configuration with core, plugin and MCP tools, one of them denied; one agent per model. */
export function scenarioConfig(folder: CliFolder, models: Readonly<Record<string, string>>): object {
  const names = Object.keys(models);
  return {
    workspace: "./work",
    plugins: ["./kit.mjs"],
    mcpServers: { files: { command: process.execPath, args: [mcpServerFile("filesystem"), `${folder.path}/work`] } },
    models: {
      default: `${names[0]}/fake`,
      providers: Object.fromEntries(names.map((name) => [name, { api: "openai-chat", baseUrl: models[name] }])),
    },
    agents: Object.fromEntries(names.map((name) => [name, { model: `${name}/fake` }])),
  };
}
