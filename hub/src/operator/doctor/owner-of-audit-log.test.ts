import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseOfRole, type DatabaseOfRole } from '../../../test/database-of-role.ts';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedProject } from '../../../test/seed.ts';
import { loadConfig } from '../../config/config.ts';
import { pruneAuditLog, sealAuditLog } from '../../domains/audit/jobs/seal-audit-log.ts';
import { checkAll } from './doctor-command.ts';

const daySecs = 86_400;
const log = { info() {} };
let database: DatabaseOfRole;
let hub: FreshExecutor;
let dataDir: string;

beforeAll(async () => {
  database = await databaseOfRole();
  hub = await freshExecutor({ database });
  dataDir = await mkdtemp(join(tmpdir(), 'corral-doctor-'));
});
afterAll(async () => {
  const { superuser } = database;
  const owner = sql.id(`${database.role}_audit`);
  await sql`reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`.execute(
    superuser,
  );
  await hub[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

/** The statements of the page, with the names of these roles. */
async function statements(): Promise<string> {
  const page = await readFile(new URL('../../../../docs/audit-log.md', import.meta.url), 'utf8');
  const [, block = ''] = /^## A PostgreSQL server of your own$.*?^```sql$(.*?)^```$/ms.exec(page) ?? [];
  return block.replaceAll(/\bcorral(?=_audit\b|;)/g, database.role);
}

/** What the doctor says of the role. */
async function findings(): Promise<string[]> {
  const env = { CORRAL_DATABASE_URL: database.url, CORRAL_DATA_DIR: dataDir, CORRAL_PORT: '1' };
  const all = await checkAll(loadConfig({ argv: [], env, hostname: 'testing', isTerminal: false }));
  return all.flatMap(({ check, state, text }) => (check === 'Database role' ? [`${state} ${text}`] : []));
}

test('the audit log that belongs to another role, as its page shows, is written, sealed and cut, and the doctor finds it right', async () => {
  await sql.raw(await statements()).execute(database.superuser);
  for (const ago of [1_000, 900]) await writeAndSeal(ago);
  const old = await seals();
  await writeAndSeal(0);
  const recent = (await seals()).filter((seal) => !old.includes(seal));
  await pruneAuditLog({ executor: hub.executor, log }, 24);
  expect(old.length).toBeGreaterThan(1);
  expect(await seals()).toEqual(recent);
  expect(await findings()).toEqual([`right ${database.role} may do what the hub needs.`]);
});

test('the audit log can be changed neither directly nor by the functions that guard it', async () => {
  for (const statement of [
    'delete from audit_seals',
    'alter table audit_events disable trigger all',
    `create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'`,
    `create or replace function actor_key(actor jsonb) returns text language sql immutable as $$select ''$$`,
  ])
    await expect(sql.raw(statement).execute(database.db), statement).rejects.toThrow(
      /permission denied|must be owner/,
    );
});

test('the doctor says where the function that cuts belongs to a role that may not delete, or may not be called', async () => {
  const { role, superuser } = database;
  const lacking = (who: string) =>
    `wrong Old rows of the audit log cannot be removed, because ${who} lacks rights: give the function cut_audit_log to the owner of the tables, and ${role} the right to execute it, as docs/audit-log.md shows.`;
  await sql`alter function cut_audit_log(bigint) owner to ${sql.id(role)}`.execute(superuser);
  expect(await findings()).toEqual([lacking(role)]);
  await sql`alter function cut_audit_log(bigint) owner to ${sql.id(`${role}_audit`)}`.execute(superuser);
  await sql`revoke execute on function cut_audit_log(bigint) from ${sql.id(role)}`.execute(superuser);
  expect(await findings()).toEqual([lacking(role)]);
});

const seals = async () =>
  (await database.db.selectFrom('audit_seals').select('seal').orderBy('seal').execute()).map(
    ({ seal }) => seal,
  );

async function writeAndSeal(daysAgo: number): Promise<void> {
  hub.advance(-daysAgo * daySecs);
  await seedProject(hub);
  await sealAll();
  hub.advance(daysAgo * daySecs);
}

/** Seals all events; transactions of other databases of the server make seals wait. */
async function sealAll(): Promise<void> {
  const unsealed = sql`select from audit_events where not exists (
    select from audit_seals where last_event_position >= position and event_id = any(event_ids))`;
  await vi.waitFor(
    async () => {
      await sealAuditLog({ executor: hub.executor, log });
      expect((await unsealed.execute(database.db)).rows).toEqual([]);
    },
    { timeout: 30_000 },
  );
}
