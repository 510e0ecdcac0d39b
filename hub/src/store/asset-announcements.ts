import { sql } from 'kysely';
import { batch } from '../db/batch.ts';
import type { Database } from '../db/connect.ts';
import { isBeingUploaded } from './assets.ts';

/** An asset whose bytes are to come to the data folder. */
export interface AnnouncedUpload {
  /** Raw. */
  readonly asset_id: string;
  readonly size: number;
}

/** How long an upload that has not begun is expected, in seconds. Longer, whoever announces and never uploads would keep others from uploading. */
const expectedSecs = 600;
/** Of so many the room is kept; small ones of which there are more hardly matter. */
const maxCounted = 1000;

/** Has others who announce uploads to the data folder wait until the end of the transaction, so that each counts those before. */
export const lockAnnouncements = (tx: Database): Promise<void> => lock(tx, undefined);

const lock = batch(async (tx: Database, questions: readonly undefined[]): Promise<undefined[]> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('asset-announcements', 0))`.execute(tx);
  return questions.map(() => undefined);
});

/** The uploads to the data folder that were announced a moment ago or are under way, of the 1,000 that were touched last. Questions at the same time share a statement. */
export const recentAnnouncements = batch(async (tx: Database, times: readonly Date[]) => {
  const now = new Date(Math.max(...times.map((time) => time.getTime())));
  const { rows } = await sql<AnnouncedUpload>`
    select a.asset_id, a.size from (
      select * from assets where status = 'Dangling' and store_id is null order by touched_at desc limit ${maxCounted}
    ) as a where a.touched_at > ${new Date(now.getTime() - expectedSecs * 1000)} or ${isBeingUploaded(now)}`.execute(
    tx,
  );
  return times.map((): readonly AnnouncedUpload[] => rows);
});
