import type { Executor } from '@corral/client';
import { ids, type CallInput, type Id } from '@corral/contract';
import pg from 'pg';
import { listLines, type ListKind, sessionOf } from '../list-times.ts';
import type { Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { listedRows, seedLongLists } from './seed-long-lists.ts';

/** The first page of the console's lists, and of its logs. */
const [pageRows, logRows] = [500, 200];
const [pageBarMs, filterBarMs] = [100, 250];

/** A call of a list, and the bare query that finds the same rows by hand-written SQL. */
interface AnchoredCall {
  readonly call: () => Promise<unknown>;
  readonly bare: string;
}

/** The lists of assets, packages, users and the log, each with 100,000 rows: first pages, filters and orders, beside the bare queries. */
export async function longLists(testbed: Testbed): Promise<Line[]> {
  const created = await testbed.user.executor.invoke('repositories_CreateRepository', {
    name: 'bench-lists',
  });
  if (created.result !== 'Created') throw new Error('There is a repository of this name already.');
  const { repositoryId } = created;
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  try {
    await seedLongLists(client, repositoryId);
    const session = sessionOf(testbed);
    const lists = [
      ...assetLists(session, repositoryId),
      ...packageLists(session, repositoryId),
      ...userLists(session),
      ...logLists(session),
    ];
    return await listLines(lists.map((list) => kindOf(client, list)));
  } finally {
    await client.end();
  }
}

interface AnchoredList {
  readonly what: string;
  readonly barMs: number;
  readonly calls: readonly AnchoredCall[];
}

function kindOf(client: pg.Client, { what, barMs, calls }: AnchoredList): ListKind {
  return {
    what: `${listedRows} ${what}`,
    barMs,
    calls: calls.map(({ call }) => call),
    bare: calls.map(
      ({ bare }) =>
        () =>
          client.query(bare),
    ),
  };
}

/** `order by` with a direction after each key. */
const sorted = (order: string, keys: readonly string[]): string =>
  `order by ${keys.map((key) => `${key} ${order.startsWith('-') ? 'desc' : 'asc'}`).join(', ')}`;

function assetLists(session: Executor, repositoryId: Id<'repository'>): AnchoredList[] {
  const list = (
    input: Partial<CallInput<'repositories_QueryRepositoryAssets'>>,
    condition: string,
    order = 'order by created_at desc, asset_id desc',
  ): AnchoredCall => ({
    call: () =>
      session.invoke('repositories_QueryRepositoryAssets', { repositoryId, limit: pageRows, ...input }),
    bare: `select a.*, (select count(*) from version_assets v where v.asset_id = a.asset_id)
        + (select count(*) from package_assets p where p.asset_id = a.asset_id) as uses
      from (select asset_id, repository_id, size, encode(digest, 'hex') as digest, status, created_at from assets
        where repository_id = '${ids.repository.raw(repositoryId)}' and ${condition} ${order} limit ${pageRows}) as a`,
  });
  const contains = (text: string) =>
    `position('${text}' in lower('repo_a_' || asset_id || ' sha256_' || encode(digest, 'hex') || ' ' || status)) > 0`;
  const keys = {
    name: ['asset_id'],
    digest: ['digest', 'asset_id'],
    size: ['size', 'asset_id'],
    status: ['status', 'asset_id'],
    uses: ['reference_count', 'asset_id'],
    createdAt: ['created_at', 'asset_id'],
  };
  return [
    { what: 'assets, first page', barMs: pageBarMs, calls: [list({}, 'true')] },
    {
      what: 'assets, slowest filter',
      barMs: filterBarMs,
      calls: ['dangling', 'ffff', 'nobody-has-this'].map((search) => list({ search }, contains(search))),
    },
    {
      what: 'assets, slowest order',
      barMs: filterBarMs,
      calls: (['name', 'digest', 'size', 'status', 'uses', 'createdAt'] as const)
        .flatMap((name) => [[name, name] as const, [name, `-${name}`] as const])
        .map(([name, order]) => list({ order }, 'true', sorted(order, keys[name]))),
    },
  ];
}

function packageLists(session: Executor, repositoryId: Id<'repository'>): AnchoredList[] {
  const byName = ['lower(p.name)', 'p.name', 'p.package_id'];
  const list = (
    input: Partial<CallInput<'repositories_QueryRepositoryPackages'>>,
    condition = 'true',
    order = sorted('name', byName),
  ): AnchoredCall => ({
    call: () =>
      session.invoke('repositories_QueryRepositoryPackages', { repositoryId, limit: pageRows, ...input }),
    bare: `select p.*, v.name as newest_name from (
        select p.package_id, p.name, p.kind, p.version_count, p.created_at, p.newest_version_id, p.newest_at from packages p
        where p.repository_id = '${ids.repository.raw(repositoryId)}' and ${condition} ${order} limit ${pageRows}
      ) as p left join package_versions v on v.version_id = p.newest_version_id`,
  });
  const contains = (text: string) =>
    `position('${text}' in lower(p.name || ' ' || coalesce(p.kind, '') || ' pkg_' || p.package_id)) > 0`;
  const hasVersion = 'p.newest_version_id is not null';
  const ofNewest = { newest: 'p.newest_key', published: 'p.newest_at' };
  const others = {
    name: byName,
    kind: [`coalesce(lower(p.kind), '~')`, ...byName],
    versions: ['p.version_count', ...byName],
  };
  return [
    { what: 'packages, first page', barMs: pageBarMs, calls: [list({})] },
    {
      what: 'packages, slowest filter',
      barMs: filterBarMs,
      calls: ['container', 'gate-9999', 'nobody-has-this'].map((search) =>
        list({ search }, contains(search)),
      ),
    },
    {
      what: 'packages, first page by newest version or publication',
      barMs: pageBarMs,
      calls: (['newest', 'published'] as const)
        .flatMap((name) => [[name, name] as const, [name, `-${name}`] as const])
        .map(([name, order]) => list({ order }, hasVersion, sorted(order, [ofNewest[name], ...byName]))),
    },
    {
      what: 'packages, slowest other order',
      barMs: filterBarMs,
      calls: (['name', 'kind', 'versions'] as const)
        .flatMap((name) => [[name, name] as const, [name, `-${name}`] as const])
        .map(([name, order]) => list({ order }, 'true', sorted(order, others[name]))),
    },
  ];
}

function userLists(session: Executor): AnchoredList[] {
  const list = (
    input: CallInput<'users_QueryUsers'>,
    condition = 'true',
    order = 'order by email',
  ): AnchoredCall => ({
    call: () => session.invoke('users_QueryUsers', { limit: pageRows, ...input }),
    bare: `select user_id, email, display_name, is_admin, disabled_at, password_hash is not null as has_password, created_at
      from users where ${condition} ${order} limit ${pageRows}`,
  });
  const contains = (text: string) =>
    `position('${text}' in lower(email || ' ' || coalesce(display_name, '') || ' u_' || user_id)) > 0`;
  const keys = {
    id: ['user_id'],
    name: [`coalesce(lower(display_name), '~')`, 'email'],
    email: ['email'],
    admin: ['is_admin', 'email'],
  };
  return [
    { what: 'users, first page', barMs: pageBarMs, calls: [list({})] },
    {
      what: 'users, slowest filter',
      barMs: filterBarMs,
      calls: [
        ...['user-9999', 'nobody-has-this'].map((search) => list({ search }, contains(search))),
        list({ isAdmin: true }, 'is_admin'),
        list({ isDisabled: true }, 'disabled_at is not null'),
      ],
    },
    {
      what: 'users, slowest order',
      barMs: filterBarMs,
      calls: (['id', 'name', 'email', 'admin'] as const)
        .flatMap((name) => [[name, name] as const, [name, `-${name}`] as const])
        .map(([name, order]) => list({ order }, 'true', sorted(order, keys[name]))),
    },
  ];
}

function logLists(session: Executor): AnchoredList[] {
  const ofEvents = (
    input: CallInput<'audit_QueryAuditLogEvents'>,
    condition = 'true',
    direction = 'desc',
  ): AnchoredCall => ({
    call: () => session.invoke('audit_QueryAuditLogEvents', { limit: logRows, ...input }),
    bare: `select event_id, actor, event, data, action_id, job_id, created_at from audit_events where ${condition}
      order by created_at ${direction}, event_id ${direction} limit ${logRows}`,
  });
  const ofCommands = (
    input: CallInput<'audit_QueryAuditLogActions'>,
    condition = 'true',
    direction = 'desc',
  ): AnchoredCall => ({
    call: () => session.invoke('audit_QueryAuditLogActions', { limit: logRows, ...input }),
    bare: `select action_id, actor, action, data, status, created_at from audit_actions where ${condition}
      order by created_at ${direction}, action_id ${direction} limit ${logRows}`,
  });
  return [
    {
      what: 'events and commands of the log, first page',
      barMs: pageBarMs,
      calls: [ofEvents({}), ofCommands({})],
    },
    {
      what: 'events and commands of the log, slowest filter',
      barMs: filterBarMs,
      calls: [
        ofEvents({ filter: 'event:devices_Created' }, `event = 'devices_Created'`),
        ofEvents({ filter: 'event:users_Deleted' }, `event = 'users_Deleted'`),
        ofEvents(
          { filter: 'actor:System created>=1h' },
          `actor_key(actor) = 'System' and created_at >= now() - interval '1 hour'`,
        ),
        ofCommands({ filter: 'status:Failed' }, `status = 'Failed'`),
        ofCommands({ filter: 'status:Panicked' }, `status = 'Panicked'`),
      ],
    },
    {
      what: 'events and commands of the log, the oldest first',
      barMs: filterBarMs,
      calls: [ofEvents({ order: 'created' }, 'true', 'asc'), ofCommands({ order: 'created' }, 'true', 'asc')],
    },
  ];
}
