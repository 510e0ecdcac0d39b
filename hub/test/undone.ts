import type { ControlledTransaction, Kysely } from 'kysely';
import type { Tables } from '../src/db/tables.ts';

/**
 * Runs work on a database that afterwards is as it was: all happens in one transaction that is rolled back,
 * and the transactions of the work are savepoints in it.
 */
export async function undone<Answer>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<Answer>,
): Promise<Answer> {
  const tx = await db.startTransaction().execute();
  const nested = { transaction: () => ({ execute: (deed: Deed) => inSavepoint(tx, deed) }) };
  try {
    return await work(Object.assign(tx, nested) as unknown as Kysely<Tables>);
  } finally {
    await tx.rollback().execute();
  }
}

type Deed = (tx: Kysely<Tables>) => Promise<unknown>;

async function inSavepoint(tx: ControlledTransaction<Tables>, deed: Deed): Promise<unknown> {
  const savepoint = await tx.savepoint('deed').execute();
  try {
    const answer = await deed(tx);
    await savepoint.releaseSavepoint('deed').execute();
    return answer;
  } catch (error) {
    await savepoint.rollbackToSavepoint('deed').execute();
    throw error;
  }
}
