import type { Id } from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { RecordServedBytes } from '../../domains/history/internal/RecordServedBytes.ts';

/** Counts the bytes of assets that this process sends, by repository, until they are recorded; a crash loses what it counted since. */
export class ServedBytes {
  #bytesOf = new Map<Id<'repository'>, number>();

  add(repositoryId: Id<'repository'>, bytes: number): void {
    this.#bytesOf.set(repositoryId, (this.#bytesOf.get(repositoryId) ?? 0) + bytes);
  }

  /** Adds what was counted to the history; what cannot be recorded is kept for the next time. */
  async record(executor: Executor): Promise<void> {
    const served = [...this.#bytesOf].map(([repositoryId, bytes]) => ({ repositoryId, bytes }));
    if (served.length === 0) return;
    this.#bytesOf = new Map();
    try {
      await executor.run(systemCaller, RecordServedBytes, { served });
    } catch (error) {
      for (const { repositoryId, bytes } of served) this.add(repositoryId, bytes);
      throw error;
    }
  }
}
