import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../test/fresh-executor.ts';
import type { Executor } from '../../calls/executor.ts';
import { fencedExecutor } from './fenced-executor.ts';
import { joinCluster, type Membership, type MembershipParts } from './membership.ts';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';

let hub: FreshExecutor;
let nowMs = 0;
beforeEach(async () => void (hub = await freshExecutor()));
afterEach(() => hub[Symbol.asyncDispose]());

const parts = (onNewNodeId: () => void = () => {}, info = (): void => {}): MembershipParts => ({
  executor: hub.executor,
  nodeName: 'north',
  isAlone: false,
  nowMs: () => nowMs,
  heartbeatMs: 20,
  pollMs: 20,
  log: { info, warn: () => {} },
  onNewNodeId,
});
const join = (...hooks: Parameters<typeof parts>): Promise<Membership> => joinCluster(parts(...hooks));

/** Starts joining beside another node; resolves once the wait is logged. */
async function joinBeside(): Promise<{ joining: Promise<Membership> }> {
  const info = vi.fn<() => void>();
  const joining = join(undefined, info);
  joining.catch(() => undefined);
  await vi.waitFor(() => expect(info).toHaveBeenCalledOnce());
  expect(info).toHaveBeenCalledWith(
    expect.anything(),
    'waiting up to 20 s for the lease of another hub on this database to end',
  );
  return { joining };
}

describe('beside another node with a lease, a starting node', () => {
  test('gives up after 20 s with one sentence', async () => {
    const first = await join();
    const { joining } = await joinBeside();
    nowMs += 20_000;
    await expect(joining).rejects.toThrow(
      'Another hub (north) runs on this database: stop that one first, or run both as nodes of one cluster, with the same CORRAL_NATS_URL and CORRAL_SECRET_KEY.',
    );
    expect((await listed()).map(({ nodeId }) => nodeId)).toEqual([first.nodeId()]);
    await first.stop();
  });

  test('joins as soon as the other leaves', async () => {
    const first = await join();
    const { joining } = await joinBeside();
    await first.stop();
    const second = await joining;
    expect((await listed()).map(({ nodeId }) => nodeId)).toEqual([second.nodeId()]);
    await second.stop();
  });

  test('joins when the lease of a dead node has expired', async () => {
    await hub.run(RegisterClusterNode, { name: 'killed' });
    const { joining } = await joinBeside();
    hub.advance(15);
    await (await joining).stop();
  });

  test('leaves no rows in the audit log while it waits', async () => {
    await hub.run(RegisterClusterNode, { name: 'killed' });
    const rows = async () =>
      (await hub.database.db.selectFrom('audit_actions').select('action_id').execute()).length;
    const before = await rows();
    const { joining } = await joinBeside();
    nowMs += 20_000;
    await expect(joining).rejects.toThrow('Another hub (killed)');
    expect(await rows()).toBe(before);
  });
});

test('one of the nodes that start at the same moment joins', async () => {
  const joins = Array.from({ length: 4 }, () => join());
  for (const joining of joins) joining.catch(() => undefined);
  await vi.waitFor(async () => expect(await listed()).toHaveLength(1));
  nowMs += 20_000;
  const settled = await Promise.allSettled(joins);
  expect(settled.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  for (const result of settled) if (result.status === 'fulfilled') await result.value.stop();
});

test('a node that lost its lease to another does not join beside it', async () => {
  const first = await join();
  hub.advance(60);
  const { nodeId } = await hub.run(RegisterClusterNode, {
    name: 'second',
    mustBeOnly: true,
  });
  nowMs += 15_000;
  await vi.waitFor(() => expect(first.hasLease()).toBe(false));
  expect((await listed()).map((node) => node.nodeId)).toEqual([nodeId]);
  await first.stop();
});

const listed = async () => (await hub.as(system, 'cluster_GetClusterDetails', {})).nodes;

/** Blocks a node's heartbeats in the database. Returns a function that releases them. */
async function blockHeartbeats(node: Membership): Promise<() => Promise<void>> {
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

test('a node whose heartbeats get no answer loses its lease 15 s after the last answer, and regains one by itself', async () => {
  const node = await join();
  const release = await blockHeartbeats(node);
  // A heartbeat that was already sent may still have renewed the lease.
  nowMs += 15_000;
  await vi.waitFor(() => expect([node.hasLease(), node.leaselessMs()]).toEqual([false, 0]));
  nowMs += 14_000;
  expect(node.leaselessMs()).toBe(14_000);
  await release();
  await vi.waitFor(() => expect(node.hasLease()).toBe(true));
  expect(node.leaselessMs()).toBe(0);
  await node.stop();
});

test('without a lease every call is refused and nothing is written', async () => {
  const node = await join();
  const fenced = fencedExecutor(hub.executor, () => node.hasLease());
  const create = () => fenced.execute({ actor: system, origin: {} }, 'users_CreateUser', person);
  const person = { email: 'a@example.org', displayName: 'A', isAdmin: false };
  const users = async () => (await hub.as(system, 'instance_GetInstanceStatistics', {})).users;
  const release = await blockHeartbeats(node);
  nowMs += 15_000;
  await expect(create()).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  expect(await users()).toBe(0);
  await release();
  await vi.waitFor(() => expect(node.hasLease()).toBe(true));
  await create();
  expect(await users()).toBe(1);
  await node.stop();
});

test('heartbeats that fail while the node has no lease are reported, and calls that wait can be answered then', async () => {
  let isCut = false;
  const never = Promise.withResolvers<never>();
  const executor: Executor = {
    execute: (...call) => (isCut ? never.promise : hub.executor.execute(...call)),
    invoke: (...call) =>
      isCut ? Promise.reject(new Error('The database does not answer.')) : hub.executor.invoke(...call),
    run: (...call) =>
      isCut ? Promise.reject(new Error('The database does not answer.')) : hub.executor.run(...call),
  };
  const onCutOff = vi.fn(() => fenced.refuseWaiting());
  const node = await joinCluster({ ...parts(), executor, onCutOff });
  const fenced = fencedExecutor(executor, () => node.hasLease());
  isCut = true;
  const call = fenced.execute({ actor: system, origin: {} }, 'instance_GetInstanceStatistics', {});
  call.catch(() => undefined);
  nowMs += 15_000;
  await expect(call).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  expect(onCutOff).toHaveBeenCalled();
  isCut = false;
  await vi.waitFor(() => expect(node.hasLease()).toBe(true));
  await fenced.execute({ actor: system, origin: {} }, 'instance_GetInstanceStatistics', {});
  await node.stop();
});

test('a node whose lease ended continues under a new id and reports it', async () => {
  const onNewNodeId = vi.fn();
  const node = await join(onNewNodeId);
  const before = node.nodeId();
  hub.advance(60);
  await vi.waitFor(() => expect(onNewNodeId).toHaveBeenCalled());
  expect(node.nodeId()).not.toBe(before);
  expect((await listed()).map(({ nodeId }) => nodeId)).toEqual([node.nodeId()]);
  await node.stop();
});

test('a node that stops ends its lease at once', async () => {
  const node = await join();
  expect(await listed()).toHaveLength(1);
  await node.stop();
  expect([await listed(), node.hasLease()]).toEqual([[], false]);
});

test('a node reports how full its disk is', async () => {
  const node = await joinCluster({ ...parts(), diskPercent: () => 42 });
  const rows = () => hub.database.db.selectFrom('cluster_nodes').select('disk_percent').execute();
  await expect.poll(rows).toEqual([{ disk_percent: 42 }]);
  await node.stop();
});
