import { sql, type Kysely } from 'kysely';

/** Finds the alerts of a rule by when they fired: 100,000 of them were read for each day that somebody looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index alerts_by_firing on alerts (rule_id, fired_at) where fired_at is not null`.execute(
    db,
  );
}
