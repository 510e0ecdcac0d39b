import { sql, type RawBuilder } from 'kysely';
import type { Database } from './connect.ts';

const backupLock = 7_201_103;

/** SQL that is true where no backup copies assets; then none begins before the end of the transaction. */
export const noBackupRuns: RawBuilder<boolean> = sql<boolean>`(select pg_try_advisory_xact_lock_shared(${sql.lit(backupLock)}))`;

/** Keeps the bytes of assets from being deleted until the connection closes. Rejects after a minute if another backup does so. */
export async function holdAssets(db: Database): Promise<void> {
  await sql`set lock_timeout = '1min'`.execute(db);
  await sql`select pg_advisory_lock(${sql.lit(backupLock)})`.execute(db).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== '55P03') throw error;
    throw new Error('Another backup of this database is running: wait until it has ended.', { cause: error });
  });
}
