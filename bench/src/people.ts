import type { Executor } from '@corral/client';
import { ids, type CallInput, type Id } from '@corral/contract';
import pg from 'pg';
import { checkOfLog } from './check-of-log.ts';
import { listLines, type ListKind, sessionOf } from './list-times.ts';
import { fillLog, rawId } from './long-log.ts';
import { sealing } from './sealing.ts';
import type { Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const users = 10_000;
const members = 5_000;
const rows = 1_000_000;
/** The first page of the console's list of users, and of its logs. */
const [userRows, logRows] = [500, 200];
const [pageBarMs, filterBarMs] = [100, 150];

/** What sealing costs commands, the lists of people, and the check of a long log. Sealing comes first, since the sealer then works through that log. */
export const peopleParts = { sealing, lists, check: checkOfLog } as const;

/** The lists of people with many users, many members and a long log: first pages and filters. */
async function lists(testbed: Testbed): Promise<Line[]> {
  const { user, databaseUrl } = testbed;
  const repository = await user.executor.invoke('repositories_CreateRepository', { name: 'bench-people' });
  if (repository.result !== 'Created') throw new Error('There is a repository of this name already.');
  const shared = { projectId: user.projectId, repositoryId: repository.repositoryId };
  const samples = await fill(databaseUrl, shared);
  const session = sessionOf(testbed);
  return listLines([...membersOf(session, shared), ...kindsOf(session, samples)]);
}

interface Shared {
  readonly projectId: Id<'project'>;
  readonly repositoryId: Id<'repository'>;
}

/** The console filters members itself, for which it reads them all. */
function membersOf(session: Executor, { projectId, repositoryId }: Shared): ListKind[] {
  const lists = (limit: number) => [
    () => session.invoke('projects_QueryProjectMembers', { projectId, limit }),
    () => session.invoke('repositories_QueryRepositoryMembers', { repositoryId, limit }),
  ];
  const what = `${members} members of a project and a repository`;
  return [
    { what: `${what}, slowest first page`, barMs: pageBarMs, calls: lists(userRows) },
    { what: `${what}, all for a filter`, barMs: filterBarMs, calls: lists(2 * members) },
  ];
}

function kindsOf(session: Executor, { actors }: Samples): ListKind[] {
  const ofUsers = (input: CallInput<'users_QueryUsers'>) =>
    session.invoke('users_QueryUsers', { limit: userRows, ...input });
  const ofEvents = (input: CallInput<'audit_QueryAuditLogEvents'>) =>
    session.invoke('audit_QueryAuditLogEvents', { limit: logRows, ...input });
  const ofActions = (input: CallInput<'audit_QueryAuditLogActions'>) =>
    session.invoke('audit_QueryAuditLogActions', { limit: logRows, ...input });
  const actor = (call: number) => actors[call % actors.length] ?? 'System';
  const since = new Date(Date.now() - 3_600_000).toISOString();
  return [
    { what: `${users} users, first page`, barMs: pageBarMs, calls: [() => ofUsers({})] },
    {
      what: `${users} users, slowest filter`,
      barMs: filterBarMs,
      calls: [
        (call) => ofUsers({ search: `user-${call * 97}@` }),
        () => ofUsers({ search: 'nobody has this' }),
        () => ofUsers({ isAdmin: true }),
        () => ofUsers({ isDisabled: true }),
      ],
    },
    {
      what: `${rows} events, ${rows} commands, slowest first page`,
      barMs: pageBarMs,
      calls: [
        () => ofEvents({}),
        () => ofActions({}),
        () => session.invoke('audit_CountAuditLogActions', {}),
      ],
    },
    {
      what: `${rows} events, ${rows} commands, slowest filter`,
      barMs: filterBarMs,
      calls: [
        () => ofEvents({ event: 'devices_Created' }),
        () => ofEvents({ event: 'users_Deleted' }),
        (call) => ofEvents({ actor: actor(call) }),
        (call) => ofEvents({ actor: actor(call), event: 'devices_Created' }),
        () => ofEvents({ actor: 'System', event: 'users_Deleted' }),
        () => ofEvents({ since, event: 'devices_Created' }),
        () => ofActions({ status: 'Failed' }),
        () => ofActions({ status: 'Panicked' }),
        () => ofActions({ status: 'Succeeded' }),
        (call) => ofActions({ actor: actor(call), status: 'Failed' }),
        () => ofActions({ action: 'users_DeleteUser', status: 'Panicked' }),
        (call) => ofActions({ actor: actor(call), since }),
      ],
    },
  ];
}

interface Samples {
  /** Some of the actors, as filters have them. */
  readonly actors: readonly string[];
}

/** Writes the rows directly: a million commands would take an hour. */
async function fill(databaseUrl: string, shared: Shared): Promise<Samples> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into users (user_id, email, display_name, is_admin, created_at, disabled_at)
       select ${rawId('user', 'n')}, 'user-' || n || '@example.org', 'User ' || n, n % 500 = 0, now(),
         case when n % 100 = 0 then now() end
       from generate_series(1, ${users}) as n`,
    );
    for (const [table, key, id] of [
      ['project_members', 'project_id', ids.project.raw(shared.projectId)],
      ['repository_members', 'repository_id', ids.repository.raw(shared.repositoryId)],
    ]) {
      await client.query(
        `insert into ${table} (${key}, user_id, is_owner, added_at)
         select '${id}', ${rawId('user', 'n')}, n % 100 = 0, now() from generate_series(1, ${members}) as n`,
      );
    }
    await fillLog(client, rows);
    // As autovacuum does in a running database, soon after so many rows.
    await client.query('vacuum analyze');
    const { rows: found } = await client.query<{ id: string }>(
      `select user_id as id from users where email like 'user-%' order by email limit 50`,
    );
    return { actors: found.map(({ id }) => `User:u_${id}`) };
  } finally {
    await client.end();
  }
}
