import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { inject } from 'vitest';
import { connectDatabase } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import type { Tables } from '../src/platform/db/tables.ts';
import type { FreshDatabase } from './fresh-database.ts';

/** A migrated, empty database of a role without rights over the server, as an operator makes one for the hub. Disposing it drops both. */
export interface DatabaseOfRole extends FreshDatabase {
  readonly role: string;
  readonly url: string;
  /** The same database as the superuser. */
  readonly superuser: Kysely<Tables>;
}

/** Makes role and database, and migrates as the role. */
export async function databaseOfRole(): Promise<DatabaseOfRole> {
  const server = inject('postgres');
  const role = `role_${randomBytes(6).toString('hex')}`;
  const password = 'of the role';
  const options = { maxConnections: 4, onIdleError() {} };
  const admin = connectDatabase(server, options);
  await sql`create role ${sql.id(role)} login password ${sql.lit(password)}`.execute(admin);
  await sql`create database ${sql.id(role)} owner ${sql.id(role)}`.execute(admin);
  const address = { ...server, database: role, user: role, password };
  const db = connectDatabase(address, options);
  await migrate(db);
  const superuser = connectDatabase({ ...server, database: role }, options);
  const url = `postgres://${role}:${encodeURIComponent(password)}@localhost/${role}?host=${encodeURIComponent(server.host)}`;
  return {
    db,
    address,
    role,
    url,
    superuser,
    async [Symbol.asyncDispose]() {
      await Promise.all([db.destroy(), superuser.destroy()]);
      await sql`drop database ${sql.id(role)} with (force)`.execute(admin);
      await sql`drop role ${sql.id(role)}`.execute(admin);
      await admin.destroy();
    },
  };
}
