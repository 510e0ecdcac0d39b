import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { type HistoryFrame, isIn, last, stepIn } from './read-history.ts';

interface Step {
  readonly step: number;
  readonly stored: number | null;
  readonly served: number | null;
}

/** Reads what a repository stored, by its raw id, as last seen in each step of a frame, and what nodes served of it. */
export async function readStoredBytes(
  tx: Database,
  repositoryId: string,
  frame: HistoryFrame,
): Promise<Output<'repositories_QueryStoredBytes'>> {
  const { rows } = await sql<Step>`
    select ${stepIn(frame)} as step, ${last('stored_bytes')} as stored, sum(served_bytes)::bigint as served from history
    where kind = 'Repository' and subject = ${repositoryId} and ${isIn(frame)} group by 1`.execute(tx);
  const ofStep = new Map(rows.map((row) => [row.step, row]));
  const column = (name: 'stored' | 'served') =>
    Array.from({ length: frame.count }, (_, step) => ofStep.get(step)?.[name] ?? null);
  return {
    from: new Date(frame.fromMs).toISOString(),
    stepSeconds: frame.stepSecs,
    storedBytes: column('stored'),
    servedBytes: column('served'),
  };
}
