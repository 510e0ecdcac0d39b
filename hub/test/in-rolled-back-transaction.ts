import type { ControlledTransaction, Kysely } from 'kysely';
import type { Tables } from '../src/platform/db/tables.ts';

/** Runs work in a transaction that is rolled back afterwards. The transactions of the work become savepoints. */
export async function inRolledBackTransaction<Answer>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<Answer>,
): Promise<Answer> {
  const tx = await db.startTransaction().execute();
  const nested = { transaction: () => ({ execute: (action: Action) => inSavepoint(tx, action) }) };
  try {
    return await work(Object.assign(tx, nested) as unknown as Kysely<Tables>);
  } finally {
    await tx.rollback().execute();
  }
}

type Action = (tx: Kysely<Tables>) => Promise<unknown>;

async function inSavepoint(tx: ControlledTransaction<Tables>, action: Action): Promise<unknown> {
  const savepoint = await tx.savepoint('action').execute();
  try {
    const answer = await action(tx);
    await savepoint.releaseSavepoint('action').execute();
    return answer;
  } catch (error) {
    await savepoint.rollbackToSavepoint('action').execute();
    throw error;
  }
}
