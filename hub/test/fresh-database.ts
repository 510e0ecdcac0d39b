import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { inject } from 'vitest';
import { connectDatabase, type DatabaseAddress } from '../src/db/connect.ts';
import type { Tables } from '../src/db/tables.ts';

/** A migrated, empty database of one test file. */
export interface FreshDatabase extends AsyncDisposable {
  readonly db: Kysely<Tables>;
  readonly address: DatabaseAddress;
}

/** Copies the template into a database of its own; disposing drops it. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connectDatabase(server, { maxConnections: 1, onIdleError() {} });
  await sql`create database ${sql.id(name)} template corral_template`.execute(admin);
  const address = { ...server, database: name };
  const db = connectDatabase(address, { maxConnections: 5, onIdleError() {} });
  return {
    db,
    address,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      await admin.destroy();
    },
  };
}
