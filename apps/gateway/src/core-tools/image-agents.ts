import type { CodeModeTool, RunScope, ToolSet } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import { viewImageName } from "./view-image-tool.ts";

/**
 * Offers `view_image` only to agents whose model is configured with `input: ["image"]` (CORE-1). The same tool set gives
 * the same answer object, because code mode takes it as the sign that nothing has changed.
 */
export class ImageAgents {
  readonly #config: Pick<GatewayConfig, "agents" | "models">;
  readonly #without = new WeakMap<ToolSet, ToolSet>();

  constructor(config: Pick<GatewayConfig, "agents" | "models">) {
    this.#config = config;
  }

  /** The set, without the tool where the agent's model takes no images. */
  offered(toolSet: ToolSet, scope: Pick<RunScope, "agentId">): ToolSet {
    if (this.takesImages(scope)) return toolSet;
    const known = this.#without.get(toolSet);
    if (known !== undefined) return known;
    const tools = toolSet.tools.filter((tool) => !isViewImage(tool));
    const without = tools.length === toolSet.tools.length ? toolSet : { ...toolSet, tools };
    this.#without.set(toolSet, without);
    return without;
  }

  /** The tool, if this agent is offered it. */
  admit(tool: CodeModeTool | undefined, scope: Pick<RunScope, "agentId">): CodeModeTool | undefined {
    return tool !== undefined && isViewImage(tool) && !this.takesImages(scope) ? undefined : tool;
  }

  /** True when the agent's model is configured to take images. */
  takesImages({ agentId }: Pick<RunScope, "agentId">): boolean {
    const { agents, models } = this.#config;
    const agent = Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
    const [, providerName = "", modelName = ""] = /^([^/]*)\/(.*)$/s.exec(agent?.model ?? models.default ?? "") ?? [];
    const known = own(own(models.providers, providerName)?.models, modelName);
    return known?.input?.includes("image") === true;
  }
}

function isViewImage({ name, origin }: CodeModeTool): boolean {
  return name === viewImageName && (origin?.kind ?? "core") === "core";
}

/** Names come from requests and files, so only own keys count. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
