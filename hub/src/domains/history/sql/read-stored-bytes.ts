import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { type HistoryFrame, isIn, stepIn } from './read-history.ts';

/** Reads what a repository stored, by its raw id, as last seen in each step of a frame. */
export async function readStoredBytes(
  tx: Database,
  repositoryId: string,
  frame: HistoryFrame,
): Promise<Output<'repositories_QueryStoredBytes'>> {
  const { rows } = await sql<{ step: number; bytes: number }>`
    select distinct on (1) ${stepIn(frame)} as step, stored_bytes as bytes from history
    where kind = 'Repository' and subject = ${repositoryId} and ${isIn(frame)} order by 1, at desc`.execute(
    tx,
  );
  const bytesOf = new Map(rows.map(({ step, bytes }) => [step, bytes]));
  return {
    from: new Date(frame.fromMs).toISOString(),
    stepSeconds: frame.stepSecs,
    storedBytes: Array.from({ length: frame.count }, (_, step) => bytesOf.get(step) ?? null),
  };
}
