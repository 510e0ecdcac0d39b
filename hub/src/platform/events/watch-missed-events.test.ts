import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { natsNode, projectEvent, type TestNode } from '../../../test/nats-nodes.ts';
import { hasNatsServer, natsServer, needNats, type NatsServer } from '../../../test/nats-server.ts';
import { watchMissedEvents, type MissedEventsWatch } from './watch-missed-events.ts';

describe('[needs NATS] when NATS does not reach all nodes', () => {
  let database: FreshDatabase;
  let server: NatsServer;
  let nowMs = 0;
  const stops: (() => Promise<unknown>)[] = [];
  beforeEach(({ skip }) => needNats(skip));
  beforeAll(async () => {
    if (!hasNatsServer) return;
    [database, server] = await Promise.all([freshDatabase(), natsServer()]);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await database.db.deleteFrom('cluster_nodes').execute();
  });
  afterAll(async () => {
    await server?.stop();
    await database?.[Symbol.asyncDispose]();
  });

  /** A node with its watch, which looks when the test says so; it counts how often it was told that events are missing. */
  async function newNode(
    name: string,
    isCutOff = false,
  ): Promise<{ node: TestNode; watch: MissedEventsWatch; told: () => number }> {
    const servers = isCutOff ? ['127.0.0.1:1'] : server.address.servers;
    const node = natsNode({ ...server.address, servers }, name);
    const log = { warn: (_fields: object, message: string) => void node.logged.push(message) };
    if (!isCutOff) await vi.waitFor(() => expect(node.bus.isConnected).toBe(true));
    let told = 0;
    node.bus.subscribe(
      () => undefined,
      () => void (told += 1),
    );
    const watch = watchMissedEvents({
      db: database.db,
      bus: node.bus,
      log,
      nowMs: () => nowMs,
      everyMs: 2 ** 30,
    });
    stops.push(watch.stop, () => node.bus.stop());
    await watch.check();
    return { node, watch, told: () => told };
  }

  const join = (name: string) =>
    database.db
      .insertInto('cluster_nodes')
      .values({
        node_id: name,
        name,
        joined_at: new Date(),
        lease_until: '2100-01-01',
        last_heartbeat_at: new Date(),
      })
      .execute();

  test('a node that could not tell the others tells them through the database', async () => {
    const [cut, other] = [await newNode('cut', true), await newNode('other')];
    await cut.node.bus.publish([projectEvent('a')]);
    await vi.waitFor(() => expect(cut.node.bus.counts.dropped).toBe(1));
    nowMs += 5_000;
    await cut.watch.check();
    await other.watch.check();
    expect([cut.told(), other.told()]).toEqual([0, 1]);
    nowMs += 5_000;
    await Promise.all([cut.watch.check(), other.watch.check()]);
    expect([cut.told(), other.told()]).toEqual([0, 1]);
  });

  test('a busy node that is cut off writes one row every five seconds', async () => {
    const [cut, other] = [await newNode('cut', true), await newNode('other')];
    nowMs += 5_000;
    for (let second = 0; second < 10; second += 1) {
      const { dropped } = cut.node.bus.counts;
      await cut.node.bus.publish([projectEvent('a')]);
      await vi.waitFor(() => expect(cut.node.bus.counts.dropped).toBeGreaterThan(dropped));
      await cut.watch.check();
      await other.watch.check();
      nowMs += 1_000;
    }
    expect(other.told()).toBe(2);
  });

  test('a node that hears nothing looks at the database again and again, if there are others', async () => {
    const cut = await newNode('cut', true);
    await join('cut');
    nowMs += 5_000;
    await cut.watch.check();
    expect(cut.told()).toBe(0);
    await join('other');
    for (let second = 0; second < 10; second += 1) {
      await cut.watch.check();
      nowMs += 1_000;
    }
    expect(cut.told()).toBe(2);
  });

  test('a report that could not be written while the database was away is written later', async () => {
    const [cut, other] = [await newNode('cut', true), await newNode('other')];
    await cut.node.bus.publish([projectEvent('a')]);
    await vi.waitFor(() => expect(cut.node.bus.counts.dropped).toBe(1));
    nowMs += 5_000;
    const { db } = database;
    await db.schema.alterTable('event_bus').renameTo('event_bus_away').execute();
    await cut.watch.check();
    await db.schema.alterTable('event_bus_away').renameTo('event_bus').execute();
    await cut.watch.check();
    await other.watch.check();
    expect(other.told()).toBe(1);
    expect(cut.node.logged.filter((message) => message.startsWith('whether events'))).toHaveLength(1);
  });
});
