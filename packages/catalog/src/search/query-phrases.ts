/** Phrases of two words that mean one verb; word by word they are noise. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:turn|switch)(?:ed|ing|s)?\s+on\b/gi, "enable"],
  [/\b(?:turn|switch)(?:ed|ing|s)?\s+off\b/gi, "disable"],
  [/\blook(?:ed|ing|s)?\s+(?:up|for)\b/gi, "search"],
  [/\bset(?:ting|s)?\s+up\b/gi, "setup"],
  [/\brol(?:l|led|ling|ls)\s+back\b/gi, "rollback"],
  [/\b(?:log|sign)(?:ged|ging|ning|ned|s)?\s+in\b/gi, "login"],
  [/\b(?:log|sign)(?:ged|ging|ning|ned|s)?\s+out\b/gi, "logout"],
];

/** The query with two-word verbs written as one word. */
export function joinPhrases(query: string): string {
  return phrases.reduce((text, [pattern, word]) => text.replace(pattern, word), query);
}
