import { rename } from 'node:fs/promises';
import { parseExactJson, type Input } from '@corral/contract';
import { readIfThere, replaceOwn } from '../identity/own-file.ts';

/** What the hub is told of a step. */
export type StepReport = Input<'devices_ReportOperationStep'>['report'];

/** A step that this device began. */
export interface LedgerEntry {
  readonly deviceOperationId: string;
  readonly stepIndex: number;
  /** Its result, until the hub has acknowledged it; undefined while it runs, and after it was interrupted. */
  readonly report?: StepReport;
}

/** Results that no hub asks for any more, as after the deletion of an operation, give way to newer ones. */
const maxEntries = 32;

/**
 * The steps of operations that this device began and whose results the hub has not acknowledged, in one file. A change is on the disk when its promise is fulfilled, and is whole or absent
 * after a power cut. Failures are AgentErrors with one sentence; the change then holds until the process ends.
 */
export class Ledger {
  readonly #file: string;
  readonly #entries: LedgerEntry[];

  private constructor(file: string, entries: LedgerEntry[]) {
    this.#file = file;
    this.#entries = entries;
  }

  /** Opens the ledger in a file. One that cannot be read is set aside beside it, and `warn` is called. Throws an AgentError. */
  static async open(file: string, warn: (message: string) => void): Promise<Ledger> {
    const text = await readIfThere(file);
    if (text === undefined) return new Ledger(file, []);
    const entries = entriesOf(text);
    if (entries !== undefined) return new Ledger(file, entries);
    await rename(file, `${file}.damaged`);
    warn(`The file ${file} is damaged and was renamed: a step that ran before may run again.`);
    return new Ledger(file, []);
  }

  /** What is known of a step; undefined if it was never begun, or is acknowledged. */
  find(deviceOperationId: string, stepIndex: number): LedgerEntry | undefined {
    return this.#entries[this.#at(deviceOperationId, stepIndex)];
  }

  /** Records that a step begins. When rejected, it must not: nothing would tell after a power cut that it did. */
  async begin(deviceOperationId: string, stepIndex: number): Promise<void> {
    const entry = { deviceOperationId, stepIndex };
    const kept = this.#entries.slice(-maxEntries + 1);
    await this.#write([...kept, entry]);
    this.#entries.splice(0, this.#entries.length, ...kept, entry);
  }

  /** Keeps the result of a step. */
  async finish(deviceOperationId: string, stepIndex: number, report: StepReport): Promise<void> {
    const at = this.#at(deviceOperationId, stepIndex);
    if (at < 0) return;
    this.#entries[at] = { deviceOperationId, stepIndex, report };
    await this.#write(this.#entries);
  }

  /** Forgets a step whose result the hub has. */
  async remove(deviceOperationId: string, stepIndex: number): Promise<void> {
    const at = this.#at(deviceOperationId, stepIndex);
    if (at < 0) return;
    this.#entries.splice(at, 1);
    await this.#write(this.#entries);
  }

  #at(deviceOperationId: string, stepIndex: number): number {
    return this.#entries.findIndex(
      (entry) => entry.deviceOperationId === deviceOperationId && entry.stepIndex === stepIndex,
    );
  }

  async #write(entries: readonly LedgerEntry[]): Promise<void> {
    await replaceOwn(this.#file, JSON.stringify({ steps: entries }), 0o600);
  }
}

function entriesOf(text: string): LedgerEntry[] | undefined {
  try {
    const { steps } = parseExactJson(text) as { steps?: unknown };
    return Array.isArray(steps) ? (steps as LedgerEntry[]) : undefined;
  } catch {
    return undefined;
  }
}
