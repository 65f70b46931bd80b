import { stemOf } from "./tokenize.ts";

/** Stems of words too common to tell tools apart. */
export function stopTerms(): ReadonlySet<string> {
  return new Set(stopWords.map(stemOf));
}

const stopWords: readonly string[] = (
  "a about all also an and any are as at be been being but by can could do does done each either for from had has have he her here him his how " +
  "i if in into is it its itself just may me might more most my no nor not of off on onto or other our out over own per please she should so some such " +
  "than that the their them then there these they this those through to too up upon us use used uses using very via was we were what when where whether which while who whom whose why " +
  "will with within without would you your"
).split(" ");
