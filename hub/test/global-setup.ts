import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { findOrBuildVersitygw, newMemoryFolder } from '@corral/tools';
import type { TestProject } from 'vitest/node';
import { connectDatabase, type DatabaseAddress } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { startPostgres } from '../src/platform/postgres/start-postgres.ts';
import { prepareEmptying } from './empty-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that all hub tests share; each worker process has its own databases in it. */
    readonly postgres: Extract<DatabaseAddress, { host: string }>;
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
// Each worker runs several hubs at a time.
const maxConnections = 200;
const pool = { maxConnections: 1, onIdleError() {} };

/** Starts one PostgreSQL for all hub tests and prepares the migrated template that their databases are copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildObjectStore();
  // No commit waits for the disk. Tests of kills and of durability start servers of their own.
  const dataDir = await newMemoryFolder();
  const folder = await mkdtemp(join(tmpdir(), 'corral-hub-tests-'));
  // The workers, which are started later, inherit it.
  process.env['CORRAL_TEST_FOLDER'] ??= folder;
  const postgres = await startPostgres({ dataDir, log: silent, maxConnections });
  const admin = connectDatabase(postgres.connection, pool);
  await sql`create database corral_template`.execute(admin);
  const template = connectDatabase({ ...postgres.connection, database: 'corral_template' }, pool);
  await migrate(template);
  await prepareEmptying(template);
  await Promise.all([template.destroy(), admin.destroy()]);
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
  };
}

/** Builds the S3 server, if it must be built, before the time of any test runs. A failure is that of the tests that need it. */
function buildObjectStore(): void {
  if (process.env['CORRAL_TEST_S3_URL'] !== undefined) return;
  try {
    findOrBuildVersitygw();
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
  }
}
