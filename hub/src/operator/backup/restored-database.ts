import { sql } from 'kysely';
import type { Database } from '../../platform/db/connect.ts';
import type { Manifest } from './manifest.ts';

/** A restore, and the backup that it restores. */
export interface Restore {
  /** As in the mark of the data folder. */
  readonly restoreId: string;
  readonly manifest: Pick<Manifest, 'instanceId' | 'createdAt'>;
}

/** The database keeps it as the comment of a table of one row, which no backup contains. */
const noteOf = ({ restoreId, manifest }: Restore): string =>
  `Restored by ${restoreId} from the backup of ${manifest.instanceId} of ${manifest.createdAt}`;

/** Notes in the database which restore has filled it; to be called in its transaction. */
export async function noteRestore(tx: Database, restore: Restore): Promise<void> {
  await sql`comment on table event_bus is ${sql.lit(noteOf(restore))}`.execute(tx);
}

/** Whether it was this restore, of this backup, that has filled the database. Any other copy of the same Corral has another note or none. */
export async function isRestoredBy(db: Database, restore: Restore): Promise<boolean> {
  const { rows } = await sql<{ note: string | null }>`
    select obj_description(to_regclass('event_bus'), 'pg_class') as note`.execute(db);
  return rows[0]?.note === noteOf(restore);
}
