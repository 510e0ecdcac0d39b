import type { Ledger, LedgerEntry, StepReport } from '../operations/Ledger.ts';

/** A place at which the link of a device can be cut. */
type Stage = 'begun' | 'finished' | 'acknowledged';

/** A ledger in memory, which a simulated device keeps over its links and restarts. */
export class SimulatedLedger implements Pick<Ledger, 'begin' | 'find' | 'finish' | 'remove'> {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #onStage: (stage: Stage) => Promise<void>;

  /** `onStage` is called when a step has begun, when its result is kept, and when the hub has it. */
  constructor(onStage: (stage: Stage) => Promise<void>) {
    this.#onStage = onStage;
  }

  find(deviceOperationId: string, stepIndex: number): LedgerEntry | undefined {
    return this.#entries.get(`${deviceOperationId} ${stepIndex}`);
  }

  async begin(deviceOperationId: string, stepIndex: number): Promise<void> {
    this.#entries.set(`${deviceOperationId} ${stepIndex}`, { deviceOperationId, stepIndex });
    await this.#onStage('begun');
  }

  async finish(deviceOperationId: string, stepIndex: number, report: StepReport): Promise<void> {
    this.#entries.set(`${deviceOperationId} ${stepIndex}`, { deviceOperationId, stepIndex, report });
    await this.#onStage('finished');
  }

  async remove(deviceOperationId: string, stepIndex: number): Promise<void> {
    this.#entries.delete(`${deviceOperationId} ${stepIndex}`);
    await this.#onStage('acknowledged');
  }
}
