import { docText } from "./doc-text.ts";
import { literalType } from "./literal-type.ts";
import { atom, printTight, type TypeText, unionOf } from "./type-text.ts";

/** More values than this are counted instead of listed. */
const maxEnumValues = 60;

/** The union of the values of an enum, or their kinds with some examples when there are too many. */
export function enumType(values: readonly unknown[]): TypeText {
  if (values.length <= maxEnumValues) return unionOf(values.map((value) => atom(literalType(value))));
  const kinds = unionOf(
    values.map((value) => atom(value === null ? "null" : typeof value === "object" ? "unknown" : typeof value)),
  );
  const examples = docText(
    values
      .slice(0, 3)
      .map((value) => literalType(value))
      .join(", "),
    120,
  );
  return atom(
    `${printTight(kinds)} /* ${values.length} values such as ${examples}; all with $api(tool, {schema: true}) */`,
  );
}
