import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** An asset whose bytes are coming to the data folder, or are to come. */
export interface ExpectedUpload {
  /** Raw, as the id of the repository. */
  readonly asset_id: string;
  readonly repository_id: string;
  readonly size: number;
}

/** How long an upload that has not begun is expected, in seconds: clients send its first bytes at once. To announce it again does not prolong this. */
const expectedSecs = 30;
/** For how many announced uploads room is kept; if there are more, they are small and hardly matter. */
const maxCounted = 1000;

/** Makes other announcements of uploads to the data folder wait until the end of the transaction, so that each counts the ones before it. */
export async function lockAnnouncements(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('asset-announcements', 0))`.execute(tx);
}

const expectedOnDisk = sql`select asset_id, repository_id, size from assets where status = 'Dangling' and store_id is null`;

/** The uploads to the data folder that have begun, by raw asset ids, or were announced a moment ago. */
export async function expectedUploads(
  tx: Database,
  assetIds: readonly string[],
  now: Date,
): Promise<readonly ExpectedUpload[]> {
  const { rows } = await sql<ExpectedUpload>`
    ${expectedOnDisk} and asset_id = any(${[...assetIds]})
    union (${expectedOnDisk} and created_at > ${new Date(now.getTime() - expectedSecs * 1000)} order by created_at desc limit ${maxCounted})`.execute(
    tx,
  );
  return rows;
}
