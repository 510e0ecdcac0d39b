import { ids } from '@corral/contract';
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import { describe, expect, test } from 'vitest';
import { deviceScene } from '../../test/device-scene.ts';
import { recordStatements } from '../../test/recorded-statements.ts';
import { seedRepository } from '../../test/seed-repository.ts';
import { newDatedRawId } from '../auth/random.ts';
import type { Database } from '../db/connect.ts';

const { hub, project, device } = deviceScene();

/** The connections of the pool that reads do not share. */
const ownConnections = 5;

/**
 * How often the server used the plan of a statement for any values, on all connections of the pool: a read that was slow once, as on a machine that runs many tests, no longer uses
 * the shared one.
 */
async function genericPlansOf(part: string): Promise<number> {
  const onConnectionOf = async (db: Database, value: RawBuilder<unknown>): Promise<number> => {
    const { rows } = await sql<{ plans: number }>`
      select coalesce(sum(generic_plans), 0)::int as plans from pg_prepared_statements
        where position(${value} in statement) > 0 and statement not like '%pg_prepared_statements%'`.execute(
      db,
    );
    return rows[0]?.plans ?? 0;
  };
  // A statement with parameters goes to the shared connection.
  const counts = [onConnectionOf(hub.database.db, sql`${part}`)];
  // Each transaction has a connection of its own until the last one has begun.
  const allHaveBegun = Promise.withResolvers<void>();
  let begun = 0;
  for (let nth = 0; nth < ownConnections; nth += 1)
    counts.push(
      hub.database.db.transaction().execute(async (tx) => {
        const plans = await onConnectionOf(tx, sql.lit(part));
        if ((begun += 1) === ownConnections) allHaveBegun.resolve();
        await allHaveBegun.promise;
        return plans;
      }),
    );
  return (await Promise.all(counts)).reduce((sum, plans) => sum + plans, 0);
}

type Call = () => Promise<unknown>;

async function publish(): Promise<Call> {
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

async function readRepository(): Promise<Call> {
  const { repositoryId } = await seedRepository(hub, { owner: project.owner });
  return () => hub.as(project.owner, 'repositories_GetRepositoryDetails', { repositoryId });
}

async function readByToken(): Promise<Call> {
  const { userId } = project.owner;
  const { tokenId } = await hub.as(project.owner, 'users_CreateUserToken', { userId });
  const actor = { actor: 'UserToken', kind: 'UserToken', userId, tokenId } as const;
  return () => hub.as(actor, 'devices_GetDeviceDetails', { deviceId: device.deviceId });
}

describe('a statement that calls share is planned once, not at each call', () => {
  test.for([
    ['the one that stores events', 'insert into device_event_days', publish],
    ['that of rights in repositories', 'as "isMember"', readRepository],
    ['that of the bounds of a user token', 'as "isReadOnly"', readByToken],
  ] as const)('%s', async ([, part, prepare]) => {
    const call = await prepare();
    // Work in the background takes connections at times, so the count is asked for again.
    await expect
      .poll(async () => {
        for (let nth = 0; nth < 20; nth += 1) await call();
        return genericPlansOf(part);
      })
      .toBeGreaterThan(8);
  });
});

test('the row of a command that ends is found by its id, not among all that were pending', async () => {
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
