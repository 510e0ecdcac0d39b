import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../test/fresh-executor.ts';
import { fencedExecutor } from './fenced-executor.ts';
import { joinCluster, type Membership } from './membership.ts';

let hub: FreshExecutor;
let nowMs = 0;
const soon = { timeout: 10_000 };
beforeEach(async () => void (hub = await freshExecutor()));
afterEach(() => hub[Symbol.asyncDispose]());

const join = (onNewNodeId: () => void = () => {}): Promise<Membership> =>
  joinCluster({
    executor: hub.executor,
    nodeName: 'north',
    isAlone: false,
    nowMs: () => nowMs,
    heartbeatMs: 20,
    log: { warn: () => {} },
    onNewNodeId,
  });

const listed = async () => (await hub.as(system, 'cluster_GetClusterDetails', {})).nodes;

/** Keeps the database from taking a node's heartbeats; answers how to let them through again. */
async function holdHeartbeats(node: Membership): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = hub.database.db.transaction().execute(async (tx) => {
    await sql`select 1 from cluster_nodes where node_id = ${ids.clusterNode.raw(node.nodeId())} for update`.execute(
      tx,
    );
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await holding;
  };
}

test('a node whose heartbeats are not answered counts itself out 15 s after the last that was, and comes back by itself', async () => {
  const node = await join();
  const goOn = await holdHeartbeats(node);
  // A heartbeat that was on its way already may still have been answered by the clock's present.
  nowMs += 15_000;
  await vi.waitFor(() => expect([node.hasLease(), node.leaselessMs()]).toEqual([false, 0]), soon);
  nowMs += 14_000;
  expect(node.leaselessMs()).toBe(14_000);
  await goOn();
  await vi.waitFor(() => expect(node.hasLease()).toBe(true), soon);
  expect(node.leaselessMs()).toBe(0);
  await node.stop();
});

test('without a lease the doors acknowledge nothing, and nothing is done', async () => {
  const node = await join();
  const doors = fencedExecutor(hub.executor, () => node.hasLease());
  const create = () => doors.execute({ actor: system, origin: {} }, 'users_CreateUser', person);
  const person = { email: 'a@example.org', displayName: 'A', isAdmin: false };
  const users = async () => (await hub.as(system, 'instance_GetInstanceStatistics', {})).users;
  const goOn = await holdHeartbeats(node);
  nowMs += 15_000;
  await expect(create()).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  expect(await users()).toBe(0);
  await goOn();
  await vi.waitFor(() => expect(node.hasLease()).toBe(true), soon);
  await create();
  expect(await users()).toBe(1);
  await node.stop();
});

test('a node that was taken for dead goes on under a new id and says so', async () => {
  const onNewNodeId = vi.fn();
  const node = await join(onNewNodeId);
  const before = node.nodeId();
  hub.advance(60);
  await vi.waitFor(() => expect(onNewNodeId).toHaveBeenCalled(), soon);
  expect(node.nodeId()).not.toBe(before);
  expect((await listed()).map(({ nodeId }) => nodeId)).toEqual([node.nodeId()]);
  await node.stop();
});

test('a node that stops gives its lease back at once', async () => {
  const node = await join();
  expect(await listed()).toHaveLength(1);
  await node.stop();
  expect([await listed(), node.hasLease()]).toEqual([[], false]);
});
