/** What a provider demands of a history. */
export type HistoryRule = {
  /** Ids of tool calls that it takes. */
  readonly toolCallIds: RegExp;
  /** Length of the ids that replace others: letters and digits only. */
  readonly idLength: number;
  /** The first message must be the user's. */
  readonly userFirst: boolean;
  /** Images may stand in results of tools; elsewhere they follow as a message of the user. */
  readonly imagesInResults: boolean;
};

/** OpenAI takes 40 characters at most, Anthropic only these letters; both together suit everybody else too. */
const common = { toolCallIds: /^[A-Za-z0-9_-]{1,40}$/, idLength: 24 };

/** Mistral's servers, and templates of its models elsewhere, refuse every id that is not of this form. */
const nine = { toolCallIds: /^[A-Za-z0-9]{9}$/, idLength: 9 };

/** What decides about the rule. */
export type HistoryRuleFacts = {
  readonly api: string;
  /** `provider/model`; tells the models whose servers demand short ids. */
  readonly name: string;
  readonly toolCallIds?: "common" | "alphanumeric9" | undefined;
};

/** The rule of a model; the configuration's `toolCallIds` wins over what the name tells. */
export function historyRuleOf({ api, name, toolCallIds }: HistoryRuleFacts): HistoryRule {
  const ids = toolCallIds ?? (/(?:mis|dev|magis|codes|minis)tral|mixtral/i.test(name) ? "alphanumeric9" : "common");
  const isChat = api !== "anthropic" && api !== "google";
  return { ...(ids === "alphanumeric9" ? nine : common), userFirst: !isChat, imagesInResults: !isChat };
}
