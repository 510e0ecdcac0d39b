import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { inject } from 'vitest';
import { connectDatabase, type DatabaseAddress } from '../src/platform/db/connect.ts';
import type { Tables } from '../src/platform/db/tables.ts';
import { emptyDatabase } from './empty-database.ts';

/** A migrated, empty database that one test file uses at a time. */
export interface FreshDatabase extends AsyncDisposable {
  readonly db: Kysely<Tables>;
  readonly address: DatabaseAddress;
}

/** Empty databases of this process that no test uses at the moment. */
const idleDatabases: string[] = [];

/** Opens an empty database of this process. Disposing it ends its connections and empties it for the next test. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = idleDatabases.pop() ?? (await copyTemplate());
  return open(name, async () => {
    await withConnection(name, emptyDatabase);
    idleDatabases.push(name);
  });
}

/** Copies the migrated template into a database for a test that alters tables. Disposing it drops it; it costs up to a second. */
export async function ownDatabase(): Promise<FreshDatabase> {
  const name = await copyTemplate();
  return open(name, () =>
    withConnection(undefined, (admin) => sql`drop database ${sql.id(name)} with (force)`.execute(admin)),
  );
}

function open(name: string, release: () => Promise<unknown>): FreshDatabase {
  const address = { ...inject('postgres'), database: name };
  const db = connectDatabase(address, { maxConnections: 6, onIdleError() {} });
  return {
    db,
    address,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await release();
    },
  };
}

async function copyTemplate(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withConnection(undefined, (admin) =>
    sql`create database ${sql.id(name)} template corral_template`.execute(admin),
  );
  return name;
}

async function withConnection(
  database: string | undefined,
  work: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<void> {
  const server = inject('postgres');
  const db = connectDatabase(database === undefined ? server : { ...server, database }, {
    maxConnections: 1,
    onIdleError() {},
  });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}
