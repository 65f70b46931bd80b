import { CodeModeError } from "@code-mode/contract";

/** A reply without tool calls. */
export type PlainReply = { readonly text: string; readonly finishReason: string };

/** What to do with such a reply: it is the answer, or the model is told what is wrong with it and asked again. */
export type Verdict =
  | { readonly kind: "answer" }
  | { readonly kind: "correct"; readonly text: string; readonly keepReply: boolean };

const callAsText = [
  /<(?:antml:)?invoke\s+name\s*=/i,
  /<tool_call>/i,
  /<function=[\w.-]+>/i,
  /^\s*(?:```\w*\s*)?\{\s*"(?:name|tool)"\s*:\s*"[\w.-]+"\s*,\s*"(?:arguments|input|parameters)"\s*:/,
];

/** Judges the replies of one turn that call no tool; each fault is corrected once, so that no model loops for ever. */
export class AnswerJudge {
  #emptyReplies = 0;
  #callsAsText = 0;

  /**
   * Judges one reply. Text is only looked at: a call is never read out of it, because text may quote anybody (PRV-2).
   * @throws CodeModeError `internal_error` when the model had its chance
   */
  judge({ text, finishReason }: PlainReply, toolNames: readonly string[]): Verdict {
    if (text.trim() === "") return this.#empty(finishReason);
    if (toolNames.length > 0 && this.#callsAsText === 0 && callAsText.some((pattern) => pattern.test(text))) {
      this.#callsAsText += 1;
      return {
        kind: "correct",
        keepReply: true,
        text: `[gateway] Your reply holds a tool call written as text; nothing ran. To run a program, call one of the tools (${toolNames.join(", ")}) through the tool interface. If the text is your answer, repeat it.`,
      };
    }
    return { kind: "answer" };
  }

  #empty(finishReason: string): Verdict {
    if (finishReason === "content-filter")
      throw new CodeModeError("internal_error", "the provider's content filter withheld the reply: it is empty.");
    this.#emptyReplies += 1;
    if (this.#emptyReplies > 1)
      throw new CodeModeError(
        "internal_error",
        `the model replied twice with nothing: an empty text and no tool call (finish reason ${finishReason}). ${finishReason === "length" ? "Raise maxOutputTokens of the model." : "Try another model, or ask in another way."}`,
      );
    return {
      kind: "correct",
      keepReply: false,
      text: "[gateway] Your reply was empty: no text and no tool call. Call a tool, or give your answer as text.",
    };
  }
}
