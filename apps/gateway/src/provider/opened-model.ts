import type { PayloadFormat } from "@code-mode/surface";
import type { LanguageModel } from "ai";
import type { ModelPrice } from "../turns/usage-meter.ts";
import type { HistoryRule } from "./history-rule.ts";

/** A model that can be asked, with what its provider demands. */
export type OpenedModel = {
  /** `provider/model`. */
  readonly name: string;
  readonly languageModel: LanguageModel;
  /** The wire format of its requests. */
  readonly format: PayloadFormat;
  readonly historyRule: HistoryRule;
  /** Most tokens of one reply, where the configuration says so. */
  readonly maxOutputTokens: number | undefined;
  readonly price: ModelPrice | undefined;
  /** What no message may show. */
  readonly secrets: readonly string[];
};
