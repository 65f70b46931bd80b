import type { CodeModeResult, CodeModeTool } from "../../packages/contract/src/index.ts";
import type { CodeModeRuntime } from "../../packages/runtime/src/index.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { SoakKind } from "./soak-plan.ts";

/** Suspended cells kept open at once: a resumption rarely meets the worker that the cell left. */
const parkedCells = 12;

type Parked = { readonly key: string; readonly runId: string };

/** The tools of the soak; both say in their reply which call it answers. */
export function createSoakTools(ledger: CallLedger): CodeModeTool[] {
  const answer = async (input: unknown): Promise<unknown> => {
    const { key } = input as { key: string };
    await ledger.started(key);
    return { reply: key };
  };
  return [
    { name: "step", description: "answers at once", execute: answer },
    { name: "hold", description: "answers when the soak lets it", execute: answer },
  ];
}

/** Runs the cells of a plan one by one and compares every outcome with what the kind demands. */
export class SoakCells {
  readonly #codeMode: CodeModeRuntime;
  readonly #ledger: CallLedger;
  readonly #parked: Parked[] = [];
  /** Cells that ended as something else than their kind, with how often. */
  readonly unexpected = new Map<string, number>();

  constructor(codeMode: CodeModeRuntime, ledger: CallLedger) {
    this.#codeMode = codeMode;
    this.#ledger = ledger;
  }

  /** Runs cell number `index`. */
  async run(kind: SoakKind, index: number): Promise<void> {
    const key = `k${index}`;
    switch (kind) {
      case "trivial":
        return this.#check(kind, await this.#exec(`text("n"); return ${index} + 1`), { value: index + 1 });
      case "call":
        return this.#call(key);
      case "suspend":
        return this.#suspend(key);
      case "guest-error":
        return this.#failing(kind, key, { tail: "throw new Error('soak')", codes: ["guest_error"] });
      case "timeout":
        return this.#failing(kind, key, { tail: "for (;;) {}", codes: ["timeout"] });
      default:
        return this.#failing(kind, key, {
          tail: "const all = []; for (;;) all.push(new Array(8192).fill(all.length))",
          codes: ["memory_limit_exceeded"],
        });
    }
  }

  /** Resumes every cell that is still suspended. */
  async drain(): Promise<void> {
    while (this.#parked.length > 0) await this.#resumeOldest();
  }

  async #call(key: string): Promise<void> {
    this.#ledger.expect(key, false);
    const result = await this.#settled(await this.#exec(`return (await tools.step({ key: "${key}" })).reply`));
    this.#ledger.settle(key, { result, delivered: result.status !== "completed" || result.value === key });
    this.#check("call", result, { value: key });
  }

  async #suspend(key: string): Promise<void> {
    this.#ledger.expect(key, true);
    const result = await this.#exec(
      `const held = tools.hold({ key: "${key}" }); await yield_control(); return (await held).reply`,
    );
    if (result.status === "waiting") this.#parked.push({ key, runId: result.runId });
    else {
      this.#ledger.settle(key, { result, delivered: true });
      this.#note("suspend", result);
    }
    if (this.#parked.length > parkedCells) await this.#resumeOldest();
  }

  async #resumeOldest(): Promise<void> {
    const parked = this.#parked.shift();
    if (parked === undefined) return;
    this.#ledger.release(parked.key);
    const result = await this.#settled(await this.#codeMode.wait({ runId: parked.runId }));
    const delivered = result.status !== "completed" || result.value === parked.key;
    this.#ledger.settle(parked.key, { result, delivered });
    this.#check("suspend", result, { value: parked.key });
  }

  /** A cell that makes its one call and then ends badly: the call must not be repeated for that. */
  async #failing(kind: SoakKind, key: string, end: { tail: string; codes: readonly string[] }): Promise<void> {
    this.#ledger.expect(key, false);
    const result = await this.#settled(await this.#exec(`await tools.step({ key: "${key}" }); ${end.tail}`));
    this.#ledger.settle(key, { result, delivered: true });
    if (result.status !== "failed" || !end.codes.includes(result.code ?? "")) this.#note(kind, result);
  }

  #exec(code: string): Promise<CodeModeResult> {
    return this.#codeMode.exec({ code });
  }

  /** A busy machine may suspend a cell whose tool answers at once. */
  async #settled(first: CodeModeResult): Promise<CodeModeResult> {
    let result = first;
    while (result.status === "waiting") result = await this.#codeMode.wait({ runId: result.runId });
    return result;
  }

  #check(kind: SoakKind, result: CodeModeResult, expected: { value: unknown }): void {
    if (result.status !== "completed" || result.value !== expected.value) this.#note(kind, result);
  }

  #note(kind: SoakKind, result: CodeModeResult): void {
    const how = result.status === "failed" ? `${result.code}: ${result.error.slice(0, 80)}` : result.status;
    const line = `${kind} ended as ${how}`;
    this.unexpected.set(line, (this.unexpected.get(line) ?? 0) + 1);
  }
}
