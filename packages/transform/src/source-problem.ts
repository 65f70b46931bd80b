/**
 * Why a text is refused: it does not parse, it parses and uses what no program may use, or a parser had to give up
 * on its size or depth.
 */
export type SourceProblemKind = "syntax" | "refused" | "limit";

/** A refusal inside this package; offsets are turned into lines and columns only where it leaves the package. */
export class SourceProblem extends Error {
  override readonly name = "SourceProblem";
  readonly kind: SourceProblemKind;
  /** UTF-16 offset in the text that was looked at. */
  readonly offset: number;

  constructor(kind: SourceProblemKind, message: string, offset: number) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }

  /** The same problem at another offset, for a text that was generated from the submitted one. */
  at(offset: number): SourceProblem {
    return new SourceProblem(this.kind, this.message, offset);
  }
}
