import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import type { TestProject } from 'vitest/node';
import { connectDatabase, type DatabaseAddress } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import type { Tables } from '../src/db/tables.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { prepareEmptying } from './empty-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that all hub tests share; each worker process has its own databases in it. */
    readonly postgres: Extract<DatabaseAddress, { host: string }>;
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const pool = { maxConnections: 1, onIdleError() {} };

/** Starts one PostgreSQL for all hub tests and prepares the migrated template that their databases are copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-test-'));
  const postgres = await startPostgres({ dataDir, log: silent });
  const admin = connectDatabase(postgres.connection, pool);
  await speedUp(admin);
  await sql`create database corral_template`.execute(admin);
  const template = connectDatabase({ ...postgres.connection, database: 'corral_template' }, pool);
  await migrate(template);
  await prepareEmptying(template);
  await Promise.all([template.destroy(), admin.destroy()]);
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Nothing in this server outlives the run, so no commit waits for the disk. Tests of kills and of durability start servers of their own. */
async function speedUp(admin: Kysely<Tables>): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes'])
    await sql`alter system set ${sql.raw(setting)} = off`.execute(admin);
  await sql`select pg_reload_conf()`.execute(admin);
}
