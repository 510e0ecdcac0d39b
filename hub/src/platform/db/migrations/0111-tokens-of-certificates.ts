import { sql, type Kysely } from 'kysely';

/** Notes the deployment token with which a certificate arrived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_certificates add column token_id text`.execute(db);
}
