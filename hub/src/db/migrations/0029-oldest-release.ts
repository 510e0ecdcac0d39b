import { sql, type Kysely } from 'kysely';

/** One row: the oldest release of the hub that may run on this schema. A migration that older ones cannot live with raises it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schema_compatibility (
      is_only boolean primary key default true check (is_only),
      oldest_release text not null
    );
    insert into schema_compatibility (oldest_release) values ('0.1.0');
  `.execute(db);
}
