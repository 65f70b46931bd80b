/** A piece of text, and how many characters of the same reply came before it. */
export type TextPiece = { readonly delta: string; readonly offset: number };

/** What a listener has heard of the reply that is being written; keeps text behind the events that came before it. */
export class HeardText {
  #reply = -1;
  #heard = "";
  #replies = new Set<number>();
  #held: TextPiece[] = [];

  /** The reply to the request with the number `replyFrom` goes on; text waits until that request was told of. */
  add(delta: string, replyFrom: number, lastSeq: number): readonly TextPiece[] {
    if (replyFrom !== this.#reply) {
      this.#reply = replyFrom;
      this.#heard = "";
      this.#replies.add(replyFrom);
    }
    const piece = { delta, offset: this.#heard.length };
    this.#heard += delta;
    if (lastSeq >= replyFrom) return [...this.#held.splice(0), piece];
    this.#held.push(piece);
    return [];
  }

  /** An event was told: the text that waited for it. */
  release(seq: number): readonly TextPiece[] {
    return this.#held.length > 0 && seq >= this.#reply ? this.#held.splice(0) : [];
  }

  /** Whether the reply to this request is known already, piece by piece. */
  isHeard(requestSeq: number): boolean {
    return this.#replies.delete(requestSeq);
  }
}
