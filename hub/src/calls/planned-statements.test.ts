import { ids } from '@corral/contract';
import { CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { deviceScene, type DeviceScene } from '../../test/device-scene.ts';
import type { FreshDatabase } from '../../test/fresh-database.ts';
import { recordStatements } from '../../test/recorded-statements.ts';
import { seedRepository } from '../../test/seed-repository.ts';
import { newDatedRawId } from '../auth/random.ts';

/** The connections of the pool. */
const connections = 6;

/** How often the server used the plan of a statement for any values, on all connections of the pool. */
async function genericPlansOf({ db }: FreshDatabase, part: string): Promise<number> {
  // Each transaction has a connection of its own until the last one has begun.
  const allHaveBegun = Promise.withResolvers<void>();
  let begun = 0;
  const counts = Array.from({ length: connections }, () =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ plans: number }>`
        select coalesce(sum(generic_plans), 0)::int as plans from pg_prepared_statements
          where position(${sql.lit(part)} in statement) > 0 and statement not like '%pg_prepared_statements%'`.execute(
        tx,
      );
      if ((begun += 1) === connections) allHaveBegun.resolve();
      await allHaveBegun.promise;
      return rows[0]?.plans ?? 0;
    }),
  );
  return (await Promise.all(counts)).reduce((sum, plans) => sum + plans, 0);
}

type Call = () => Promise<unknown>;

async function publish({ hub, device }: DeviceScene): Promise<Call> {
  const event = {
    severity: 'Info',
    body: 'started',
    attributes: {},
    emittedAt: '2026-11-20T11:59:00Z',
  } as const;
  return () =>
    hub.as(device.actor, 'devices_PublishDeviceEvents', {
      deviceId: device.deviceId,
      events: [{ ...event, eventId: ids.deviceEvent.of(newDatedRawId(hub.now())) }],
    });
}

async function readRepository({ hub, project }: DeviceScene): Promise<Call> {
  const { repositoryId } = await seedRepository(hub, { owner: project.owner });
  return () => hub.as(project.owner, 'repositories_GetRepositoryDetails', { repositoryId });
}

async function readByToken({ hub, project, device }: DeviceScene): Promise<Call> {
  const { userId } = project.owner;
  const { tokenId } = await hub.as(project.owner, 'users_CreateUserToken', { userId });
  const actor = { actor: 'UserToken', kind: 'UserToken', userId, tokenId } as const;
  return () => hub.as(actor, 'devices_GetDeviceDetails', { deviceId: device.deviceId });
}

async function readProject({ hub, project }: DeviceScene): Promise<Call> {
  const { projectId } = project;
  return () => hub.as(project.owner, 'projects_GetProjectDetails', { projectId });
}

/** Twenty people, each a member of many projects and repositories that are linked: for a member of few, the plan for given values then looks cheaper than the one for any. */
async function addMembers({ hub }: DeviceScene): Promise<void> {
  const { db } = hub.database;
  const people = sql`select 'user-' || (1 + n % 20) from generate_series(1, 3000) as n`;
  const many = sql.raw('generate_series(1, 3000) as n');
  await sql`insert into users (user_id, email, created_at)
    select distinct id, id || '@example.org', now() from (${people}) as p(id)`.execute(db);
  await sql`insert into projects (project_id, name, created_at) select 'many-' || n, 'many', now() from ${many}`.execute(
    db,
  );
  await sql`insert into repositories (repository_id, name, visibility, created_at)
    select 'many-' || n, 'many-' || n, 'Private', now() from ${many}`.execute(db);
  await sql`insert into project_members (project_id, user_id, is_owner, added_at)
    select 'many-' || n, 'user-' || (1 + n % 20), true, now() from ${many}`.execute(db);
  await sql`insert into repository_members (repository_id, user_id, is_owner, added_at)
    select 'many-' || n, 'user-' || (1 + n % 20), true, now() from ${many}`.execute(db);
  await sql`insert into project_repositories (project_id, repository_id, linked_at)
    select 'many-' || n, 'many-' || m, now() from generate_series(1, 300) as n, generate_series(1, 20) as m`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}

describe.for([
  ['of a new hub', async () => {}],
  ['of a hub with many members', addMembers],
] as const)('a statement that calls share is planned once, not at each call, %s', ([, seed]) => {
  const scene = deviceScene();
  beforeAll(() => seed(scene));
  test.for([
    ['the one that stores events', 'insert into device_event_days', publish],
    ['that of rights in repositories', 'as "isMember"', readRepository],
    ['that of rights in projects', 'coalesce(m.is_owner, false)', readProject],
    ['that of the bounds of a user token', 'as "isReadOnly"', readByToken],
  ] as const)('%s', async ([, part, prepare]) => {
    const call = await prepare(scene);
    // Work in the background takes connections at times, so the count is asked for again.
    await expect
      .poll(async () => {
        for (let nth = 0; nth < 20; nth += 1) await call();
        return genericPlansOf(scene.hub.database, part);
      })
      .toBeGreaterThan(8);
  });
});

describe('the row of a command that ends', () => {
  const { hub, project, device } = deviceScene();

  test('is found by its id, not among all that were pending', async () => {
    await sql`
    insert into audit_actions (action_id, actor, action, data, status, created_at)
      select 'ended-' || n, '{}', 'devices_SetDeviceName', '{}', 'Succeeded', now() from generate_series(1, 20000) as n`.execute(
      hub.database.db,
    );
    await sql`analyze audit_actions`.execute(hub.database.db);
    using recorded = recordStatements();
    await hub.as(project.owner, 'devices_SetDeviceName', { deviceId: device.deviceId, name: 'well' });
    const [statement] = recorded.containing('left_for_dispatch');
    const explain = CompiledQuery.raw(`explain (format json) ${statement?.text}`, [
      ...(statement?.values ?? []),
    ]);
    const plan = JSON.stringify((await hub.database.db.executeQuery(explain)).rows);
    expect(plan).toContain('audit_actions_pkey');
  });
});
