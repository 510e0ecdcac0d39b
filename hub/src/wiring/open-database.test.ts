import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';
import { handlers } from '../domains/handlers.ts';
import { connectDatabase, connectSql } from '../platform/db/connect.ts';
import { ensureJobsSchema, jobsSchema } from '../platform/db/jobs-schema.ts';
import { migrate } from '../platform/db/migrate.ts';
import { loadConfig } from '../config/config.ts';
import { createExecutor } from '../calls/executor.ts';
import { rotateEventPartitions } from '../domains/instance/jobs/upkeep.ts';
import { sealAuditLog } from '../domains/audit/jobs/seal-audit-log.ts';
import { startJobs } from '../platform/jobs/start-jobs.ts';
import { createLog } from '../platform/log/log.ts';
import { startPostgres } from '../platform/postgres/start-postgres.ts';
import { openDatabase, type HubDatabase } from './open-database.ts';

const log = createLog({ level: 'silent', format: 'json' });
const pool = { maxConnections: 2, onIdleError() {} };
const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

/** A data folder of a hub that worked as the superuser. */
async function olderFolder(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir, log: { info() {}, warn() {}, error() {} } });
  const db = connectDatabase(postgres.connection, pool);
  await migrate(db);
  await ensureJobsSchema(db);
  const jobsDb = connectSql(postgres.connection, pool);
  await withJobs(jobsDb);
  await Promise.all([jobsDb.close(), db.destroy()]);
  await postgres.stop();
}

async function withJobs(db: HubDatabase['jobsDb']): Promise<void> {
  const jobs = [{ name: 'nothing', cron: '0 0 1 1 *', run: async () => undefined }];
  await (await startJobs({ db, schema: jobsSchema, jobs, log })).stop();
}

function executorOn({ db, openingDb }: HubDatabase) {
  return createExecutor({
    handlers,
    db,
    openingDb,
    now: () => new Date(),
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit() {},
    log: { error() {} },
  });
}

test('a statement that still runs keeps neither the hub nor its database from stopping in time', async ({
  onTestFinished,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-stopping-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase(loadConfig({ argv: ['--data-dir', dataDir], env: {} }), log);
  const { db } = database;
  const running = sql`select pg_sleep(25)`.execute(db).then(
    () => 'ended',
    () => 'broken',
  );
  const sleeping = sql`select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`;
  await expect.poll(async () => (await sleeping.execute(db)).rows).toHaveLength(1);
  await database.stop();
  expect(await running).toBe('broken');
  expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
}, 60_000);

test('the hub uses a role that cannot change the audit log, also with the folder of an older hub', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-role-'));
  await olderFolder(dataDir);
  const database = await openDatabase(loadConfig({ argv: ['--data-dir', dataDir], env: {} }), log);
  try {
    const { db } = database;
    const { rows } = await sql<{ roles: string[] }>`
      select array_agg(rolname::text) as roles from pg_roles where rolname = current_user
        and not (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication)`.execute(db);
    expect(rows[0]?.roles).toEqual(['corral_hub']);
    const executor = executorOn(database);
    await executor.invoke(system, 'users_CreateUser', { email: 'somebody@example.org' });
    await rotateEventPartitions(executor, 12);
    await sealAuditLog({ executor, log });
    expect(await db.selectFrom('audit_seals').select('seal').execute()).toEqual([{ seal: 1 }]);
    await withJobs(database.jobsDb);
    for (const statement of [
      'delete from audit_events',
      'truncate audit_actions',
      "update audit_actions set action = ''",
      "update audit_event_entities set entity_id = ''",
      'delete from audit_seals',
      'alter table audit_events disable trigger all',
      'drop table audit_events',
      'set session_replication_role = replica',
      'drop function audit_position_offset() cascade',
      'set role corral',
    ])
      await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(
        /permission denied|must be owner|superuser/,
      );
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);
