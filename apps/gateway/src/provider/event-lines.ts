/** Splits the text of an event stream into the data of its events; takes pieces of any size and every kind of line end. */
export class EventLines {
  #rest = "";
  #data: string[] = [];

  /** The data of every event that this piece completes. */
  add(piece: string): readonly string[] {
    const text = this.#rest + piece;
    // a carriage return at the very end may be half of a line end
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + text.slice(end);
    return lines.flatMap((line) => this.#line(line));
  }

  /** The data of an event that was not ended by an empty line. */
  end(): readonly string[] {
    const lines = this.#rest === "" ? [] : [this.#rest];
    this.#rest = "";
    return [...lines, ""].flatMap((line) => this.#line(line));
  }

  #line(line: string): readonly string[] {
    if (line.startsWith("data:")) this.#data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || this.#data.length === 0) return [];
    const data = this.#data.join("\n");
    this.#data = [];
    return [data];
  }
}
