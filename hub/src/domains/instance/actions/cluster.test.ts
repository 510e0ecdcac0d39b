import { actions, ids, parseInput, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  absentId,
  anonymous,
  freshExecutor,
  system,
  type FreshExecutor,
} from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject, seedUser } from '../../../../test/seed.ts';
import { createExecutor } from '../../../calls/executor.ts';
import { handlers } from '../../handlers.ts';
import { testStorages } from '../../../../test/test-storages.ts';
import { testVault } from '../../../../test/test-vault.ts';
import { CleanupInactiveClusterNodes } from '../internal/CleanupInactiveClusterNodes.ts';
import { RegisterClusterNode } from '../internal/RegisterClusterNode.ts';
import { ReportClusterNodeHeartbeat } from '../internal/ReportClusterNodeHeartbeat.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';

let hub: FreshExecutor;
beforeEach(async () => void (hub = await freshExecutor()));
afterEach(() => hub[Symbol.asyncDispose]());

const heartbeat = (
  nodeId: Id<'clusterNode'>,
  more: { isLeaving?: boolean; isBusConnected?: boolean | undefined } = {},
) =>
  hub.run(
    ReportClusterNodeHeartbeat,
    { nodeId, ...more },
    { actor: 'ClusterNode', kind: 'ClusterNode', nodeId },
  );
const usage = { load: 3.4, cores: 4, memoryBytes: 400_000_000, machineMemoryBytes: 16_000_000_000 };
const cleanUp = () => hub.run(CleanupInactiveClusterNodes);
const listed = async () => (await hub.as(system, 'cluster_GetClusterDetails', {})).nodes;
const hints = (name: string) =>
  hub.emittedEvents.filter((event) => event.name === name).map(({ data }) => data);

test('a node that is alone on its database ends the leases of earlier nodes', async () => {
  const predecessor = await seedNode(hub, 'killed');
  const { nodeId } = await hub.run(RegisterClusterNode, {
    name: 'restarted',
    isAlone: true,
  });
  expect((await listed()).map((node) => node.nodeId)).toEqual([nodeId]);
  await expect(heartbeat(predecessor)).rejects.toMatchObject({ kind: 'Forbidden' });
});

describe('a lease', () => {
  test('lasts 15 s and is renewed by heartbeats', async () => {
    const nodeId = await seedNode(hub, ' north ');
    expect(hints('cluster_NodesChanged')).toEqual([{ nodeId }]);
    hub.advance(14);
    await heartbeat(nodeId);
    hub.advance(14);
    const nodes = await listed();
    expect(nodes).toEqual([
      {
        nodeId,
        name: 'north',
        joinedAt: '2026-11-20T12:00:00Z',
        uptimeSecs: 28,
        isReachable: false,
        lastHeartbeat: '2026-11-20T12:00:14Z',
      },
    ]);
    expect(parseInput(actions.cluster_GetClusterDetails.output, { nodes })).toEqual({ nodes });
    hub.advance(1);
    expect(await listed()).toEqual([]);
  });

  test('that has expired is not renewed', async () => {
    const nodeId = await seedNode(hub);
    hub.advance(15);
    await expect(heartbeat(nodeId)).rejects.toMatchObject({
      kind: 'Forbidden',
      message: 'This node has lost its lease.',
    });
    expect(await listed()).toEqual([]);
  });

  test('is released immediately by a node that leaves, and cannot be renewed', async () => {
    const [leaving, staying] = [await seedNode(hub), await seedNode(hub)];
    hub.emittedEvents.length = 0;
    await heartbeat(leaving, { isLeaving: true });
    expect(hints('cluster_NodesChanged')).toEqual([{}]);
    expect((await listed()).map(({ nodeId }) => nodeId)).toEqual([staying]);
    await expect(heartbeat(leaving)).rejects.toMatchObject({ kind: 'Forbidden' });
  });

  test('comes with whether the node reaches NATS, which administrators see', async () => {
    const nodeId = await seedNode(hub);
    const admin = await hub.user('admin@example.org', { isAdmin: true });
    const person = await seedUser(hub, 'a@example.org');
    const states = async (actor: Actor) =>
      (await hub.as(actor, 'cluster_GetClusterDetails', {})).nodes.map(
        ({ isBusConnected }) => isBusConnected,
      );
    const report = (isBusConnected?: boolean) => heartbeat(nodeId, { isBusConnected });
    await report();
    expect(await states(admin)).toEqual([undefined]);
    hub.emittedEvents.length = 0;
    await report(true);
    await report(true);
    expect(await states(admin)).toEqual([true]);
    await report(false);
    expect([await states(admin), await states(person)]).toEqual([[false], [undefined]]);
    expect(hints('cluster_NodesChanged')).toEqual([{}, {}]);
  });

  test('is that of a node that has joined, and listed for who has signed in', async () => {
    await seedNode(hub);
    const person = await seedUser(hub, 'a@example.org');
    await expect(heartbeat(absentId('clusterNode'))).rejects.toMatchObject({ kind: 'Forbidden' });
    expect((await hub.refusal(anonymous, 'cluster_GetClusterDetails', {})).kind).toBe('NotSignedIn');
    expect((await hub.as(person, 'cluster_GetClusterDetails', {})).nodes).toHaveLength(1);
  });
});

/** Runs a command on a node and opens its row again, as if the node had died halfway; returns the row's raw id. */
async function unfinishedCommandOf(nodeId: Id<'clusterNode'>): Promise<string> {
  const { db } = hub.database;
  const executor = createExecutor({
    handlers,
    db,
    openingDb: db,
    now: hub.now,
    vault: testVault,
    storages: testStorages,
    nodeId: () => nodeId,
    afterCommit: () => undefined,
    log: { error: () => undefined },
  });
  await executor.run({ actor: system, origin: {} }, RegisterClusterNode, { name: nodeId });
  const rows = await db.selectFrom('audit_actions').select(['action_id', 'data']).execute();
  const row = rows.find(({ data }) => data['name'] === nodeId);
  const actionId = `${row?.action_id.slice(0, -4)}open`;
  await sql`insert into audit_actions (action_id, actor, action, data, status, node_id, created_at)
    select ${actionId}, actor, action, data, 'Pending', node_id, created_at from audit_actions where action_id = ${row?.action_id}`.execute(
    db,
  );
  return actionId;
}

describe('after a node has died', () => {
  test('its connections end with its lease, once, with an event for each device', async () => {
    const device = await seedDevice(hub, await seedProject(hub));
    const { deviceId, projectId } = device;
    const [gone, alive] = [await seedNode(hub), await seedNode(hub)];
    const other = await seedDevice(hub, await seedProject(hub));
    for (const [nodeId, id] of [
      [gone, deviceId],
      [gone, other.deviceId],
      [alive, other.deviceId],
    ] as const)
      await hub.run(RegisterDeviceConnection, { deviceId: id, nodeId });
    hub.advance(10);
    await heartbeat(alive);
    hub.advance(6);
    hub.emittedEvents.length = 0;
    await Promise.all(Array.from({ length: 4 }, cleanUp));
    const changed = hints('devices_ConnectionChanged');
    expect(changed).toHaveLength(2);
    expect(changed).toContainEqual({ projectId, deviceId, isConnected: false });
    expect(changed).toContainEqual({
      projectId: other.projectId,
      deviceId: other.deviceId,
      isConnected: true,
    });
    expect(hints('cluster_NodesChanged').length).toBeGreaterThan(0);
    const { recentConnections } = await hub.as(system, 'devices_GetDeviceDetails', { deviceId });
    expect(recentConnections).toMatchObject([{ endedAt: '2026-11-20T12:00:15Z', endReason: 'NodeCrashed' }]);
  });

  test('its connections end some thousands at a time, however many there are, and it is forgotten after the last', async () => {
    const { deviceId } = await seedDevice(hub, await seedProject(hub));
    const nodeId = ids.clusterNode.raw(await seedNode(hub));
    const { db } = hub.database;
    await sql`insert into all_devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
      select lpad(i::text, 22, 'x'), project_id, 'fingerprint ' || i, fingerprint_hash, created_at
      from devices, generate_series(1, 5100) i where device_id = ${ids.device.raw(deviceId)}`.execute(db);
    await sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
      select 'c' || device_id, device_id, ${nodeId}, ${hub.now()} from devices`.execute(db);
    const open = async () =>
      (await db.selectFrom('device_connections').select('device_id').where('ended_at', 'is', null).execute())
        .length;
    hub.advance(2 * 3_600);
    expect([await cleanUp(), await open()]).toEqual([{ hasMore: true }, 101]);
    expect(await db.selectFrom('cluster_nodes').select('node_id').execute()).toHaveLength(1);
    expect([await cleanUp(), await cleanUp(), await open()]).toEqual([
      { hasMore: true },
      { hasMore: false },
      0,
    ]);
    expect(await db.selectFrom('cluster_nodes').select('node_id').execute()).toEqual([]);
  });

  test('a device that somebody holds does not delay the others, and its connection ends afterwards', async () => {
    const project = await seedProject(hub);
    const [held, free] = [await seedDevice(hub, project), await seedDevice(hub, project)];
    const nodeId = await seedNode(hub);
    for (const { deviceId } of [held, free]) await hub.run(RegisterDeviceConnection, { deviceId, nodeId });
    hub.advance(16);
    hub.emittedEvents.length = 0;
    const ended = () => hints('devices_ConnectionChanged').map(({ deviceId }) => deviceId);
    await hub.database.db.transaction().execute(async (tx) => {
      await sql`select 1 from devices where device_id = ${ids.device.raw(held.deviceId)} for update`.execute(
        tx,
      );
      await cleanUp();
      expect(ended()).toEqual([free.deviceId]);
    });
    await cleanUp();
    expect(ended()).toEqual([free.deviceId, held.deviceId]);
  });

  test('its unfinished commands are recorded as panicked', async () => {
    const [gone, alive] = [await seedNode(hub), await seedNode(hub)];
    const [unfinished, running] = [await unfinishedCommandOf(gone), await unfinishedCommandOf(alive)];
    hub.advance(10);
    await heartbeat(alive);
    hub.advance(6);
    await cleanUp();
    const { actions: tried } = await hub.as(system, 'audit_QueryAuditLogActions', {});
    const statusOf = (id: string) =>
      tried.find(({ actionId }) => actionId === ids.auditAction.of(id))?.status;
    expect([statusOf(unfinished), statusOf(running)]).toEqual(['Panicked', 'Pending']);
  });

  test('its row is deleted after an hour, and rows of live nodes stay', async () => {
    await seedNode(hub);
    hub.advance(3600);
    const alive = await seedNode(hub);
    hub.advance(14);
    await cleanUp();
    const remaining = () => hub.database.db.selectFrom('cluster_nodes').select('node_id').execute();
    expect(await remaining()).toHaveLength(2);
    await heartbeat(alive);
    hub.advance(2);
    await cleanUp();
    expect(await remaining()).toEqual([{ node_id: ids.clusterNode.raw(alive) }]);
    hub.emittedEvents.length = 0;
    await cleanUp();
    expect(hub.emittedEvents).toEqual([]);
  });
});

test('administrators see how busy a node is, after its first heartbeat', async () => {
  const nodeId = await seedNode(hub);
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com');
  const seenBy = async (actor: typeof admin) => (await hub.as(actor, 'cluster_GetClusterDetails', {})).nodes;
  expect((await seenBy(admin))[0]).not.toHaveProperty('load');
  await hub.run(
    ReportClusterNodeHeartbeat,
    { nodeId, usage },
    { actor: 'ClusterNode', kind: 'ClusterNode', nodeId },
  );
  const [{ load = 0, ...node } = { load: 0 }] = await seenBy(admin);
  const { load: told, ...machine } = usage;
  expect(load).toBeCloseTo(told);
  expect(node).toMatchObject(machine);
  expect((await seenBy(ann))[0]).not.toHaveProperty('cores');
});
