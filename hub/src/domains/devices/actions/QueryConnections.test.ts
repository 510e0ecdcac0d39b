import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteOldConnections } from '../sql/connection-history.ts';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedNode } from '../../../../test/seed.ts';
import { CleanupInactiveClusterNodes } from '../../instance/internal/CleanupInactiveClusterNodes.ts';
import { ReportClusterNodeHeartbeat } from '../../instance/internal/ReportClusterNodeHeartbeat.ts';
import { RegisterDeviceConnection } from '../internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../internal/UnregisterDeviceConnection.ts';

const { hub, project, device } = deviceScene();
let nodeId: Id<'clusterNode'>;
beforeEach(async () => void (nodeId = await seedNode(hub)));

const connect = async () =>
  (await hub.run(RegisterDeviceConnection, { deviceId: device.deviceId, nodeId })).connectionId;
const end = (connectionId: Id<'deviceConnection'>, endReason?: 'ServerShutdown') =>
  hub.run(UnregisterDeviceConnection, { connectionId, ...(endReason && { endReason }) });
const history = async (more = {}, actor: Actor = project.owner) =>
  (await hub.as(actor, 'devices_QueryConnections', { deviceId: device.deviceId, ...more })).connections;
const heartbeat = () =>
  hub.run(ReportClusterNodeHeartbeat, { nodeId }, { actor: 'ClusterNode', kind: 'ClusterNode', nodeId });

test('a device that never connected has no history', async () => {
  expect(await history()).toEqual([]);
});

test('ended connections are listed with end, reason and duration, newest first', async () => {
  const first = await connect();
  hub.advance(5);
  await end(first);
  const second = await connect();
  hub.advance(3);
  await heartbeat();
  await end(second, 'ServerShutdown');
  const third = await connect();
  hub.advance(7);
  expect(await history()).toEqual([
    { connectionId: third, nodeId, connectedAt: expect.any(String), durationSecs: 7 },
    {
      connectionId: second,
      nodeId,
      connectedAt: expect.any(String),
      endedAt: expect.any(String),
      endReason: 'ServerShutdown',
      durationSecs: 3,
    },
    expect.objectContaining({ connectionId: first, endReason: 'Disconnected', durationSecs: 5 }),
  ]);
  const [, { endedAt }] = (await history()) as [object, { endedAt?: string }];
  expect(Date.parse(endedAt ?? '')).toBe(hub.now().getTime() - 7000);
});

test('a cursor of all connections is no cursor of the live ones', async () => {
  await end(await connect());
  hub.advance(1);
  await end(await connect());
  const of = { deviceId: device.deviceId, limit: 1 };
  const { next: after } = await hub.as(project.owner, 'devices_QueryConnections', of);
  const refusal = await hub.refusal(project.owner, 'devices_QueryConnections', {
    ...of,
    after,
    activeOnly: true,
  });
  expect(refusal).toMatchObject({ kind: 'Invalid', message: expect.stringContaining('for the same list') });
});

test('filters by live connections and respects the limit', async () => {
  await end(await connect());
  hub.advance(1);
  const live = await connect();
  hub.advance(1);
  await end(await connect());
  expect((await history({ activeOnly: true })).map(({ connectionId }) => connectionId)).toEqual([live]);
  expect(await history({ limit: 2 })).toHaveLength(2);
  expect(await history({ limit: 0 })).toEqual([]);
  expect(await history({ limit: null, activeOnly: null })).toHaveLength(3);
});

test('lists 100 without a limit, and 1,000 at most', async () => {
  await fill(1002, '1 hour');
  expect(await history()).toHaveLength(100);
  expect(await history({ limit: 4_294_967_295 })).toHaveLength(1000);
});

describe('a node that crashed', () => {
  test('has its connections shown as ended at the end of its lease, also before the cleanup', async () => {
    const connectionId = await connect();
    hub.advance(60);
    const crashed = [expect.objectContaining({ connectionId, endReason: 'NodeCrashed', durationSecs: 15 })];
    expect(await history()).toEqual(crashed);
    expect(await history({ activeOnly: true })).toEqual([]);
    await hub.run(CleanupInactiveClusterNodes);
    expect(await history()).toEqual(crashed);
  });
});

/** Puts ended connections into the history, a second apart, the newest that long ago. */
async function fill(count: number, newestEndedAgo: string): Promise<void> {
  await sql`
    insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
    select ${ids.device.raw(device.deviceId).slice(0, 12)} || lpad(translate(i::text, '0', 'a'), 10, 'a'), ${ids.device.raw(device.deviceId)},
      ${ids.clusterNode.raw(nodeId)}, at, at, 'Disconnected'
    from generate_series(1, ${count}::int) i,
      lateral (select ${hub.now()}::timestamptz - ${newestEndedAgo}::interval - i * interval '1 second' as at) t`.execute(
    hub.database.db,
  );
}

describe('the history is bounded', () => {
  const times = async () => {
    const rows = await hub.database.db
      .selectFrom('device_connections')
      .select('connected_at')
      .where('device_id', '=', ids.device.raw(device.deviceId))
      .orderBy('connected_at', 'desc')
      .execute();
    return rows.map(({ connected_at }) => connected_at);
  };
  const forgetIn = (days: number) =>
    deleteOldConnections(hub.database.db, new Date(hub.now().getTime() + days * 86_400_000));

  test("to 90 days, except a device's newest connection and live ones", async () => {
    const live = await connect();
    for (let count = 0; count < 2; count += 1) {
      hub.advance(1);
      await end(await connect());
    }
    const [last, , first] = await times();
    await forgetIn(89.9);
    expect(await times()).toHaveLength(3);
    await forgetIn(90);
    expect(await times()).toEqual([last, first]);
    expect((await history()).at(-1)?.connectionId).toBe(live);
  });

  test('to the newest 50 of a device that recently disconnected', async () => {
    const live = await connect();
    hub.advance(3600);
    await fill(60, '10 minutes');
    const newest = (await times()).slice(0, 50);
    await forgetIn(0);
    const left = await times();
    expect(left.slice(0, 50)).toEqual(newest);
    expect(left).toHaveLength(51);
    expect((await history()).at(-1)?.connectionId).toBe(live);
  });
});
