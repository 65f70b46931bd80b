import type { ApprovalPort, ToolRequest } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import { matchesRule } from "./match-rule.ts";

/**
 * Approvals for a host where nobody can be asked: a call that needs one is denied at once, with the way out.
 * The first matching rule decides, then the tool's own declaration, then the default.
 */
export function createUnattendedApprovals(config: Pick<GatewayConfig, "tools">): ApprovalPort {
  const { rules = [], default: fallback = "never" } = config.tools.approval ?? {};
  const needs = ({ tool }: ToolRequest): boolean => {
    const rule = rules.find(({ match }) => matchesRule(tool, match));
    return (rule?.mode ?? tool.approval ?? fallback) === "always";
  };
  return {
    needs,
    request: async ({ tool }) => ({
      approved: false,
      code: "approval_denied",
      reason: `${tool.name} needs an approval and nobody can be asked here; a rule in tools.approval.rules with mode "never" lets it run`,
    }),
    confirm: (request) => !needs(request),
  };
}
