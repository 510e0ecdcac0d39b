import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/fresh-database.ts';
import { httpHub, type HttpHub } from '../../../../test/http-hub.ts';
import { readLiveView } from '../../../../test/live-reader.ts';
import { natsNode, type TestNode } from '../../../../test/nats-nodes.ts';
import { hasNatsServer, natsServer, needNats, type NatsServer } from '../../../../test/nats-server.ts';
import { watchMissedEvents, type MissedEventsWatch } from '../../../platform/events/watch-missed-events.ts';

const password = 'correct horse battery';

describe('[needs NATS] two nodes on one database', () => {
  let server: NatsServer;
  let database: FreshDatabase;
  let nodes: { node: TestNode; hub: HttpHub; watch: MissedEventsWatch }[];
  let cookie: string;
  beforeEach(({ skip }) => needNats(skip));
  beforeAll(async () => {
    if (!hasNatsServer) return;
    [database, server] = await Promise.all([freshDatabase(), natsServer()]);
    nodes = await Promise.all(['north', 'south'].map(start));
    await vi.waitFor(() => expect(nodes.every(({ node }) => node.bus.isConnected)).toBe(true));
    const { userId } = await here().hub.user('ada@example.org', { password });
    expect(userId).toBeDefined();
    cookie = await here().hub.signIn('ada@example.org', password);
  });
  afterAll(async () => {
    for (const { node, hub, watch } of nodes ?? []) {
      await watch.stop();
      await hub[Symbol.asyncDispose]();
      await node.bus.stop();
    }
    await server?.stop();
    await database?.[Symbol.asyncDispose]();
  });

  async function start(name: string) {
    const node = natsNode(server.address, name);
    // The streams are checked once an hour, so that what these tests see comes by the bus or from the watch.
    const liveIntervals = { beatMs: 3_600_000, refreshMs: 3_600_000 };
    const hub = await httpHub({ database, bus: node.bus, liveIntervals });
    const joined = { name, joined_at: new Date(), last_heartbeat_at: new Date(), lease_until: '2100-01-01' };
    await database.db
      .insertInto('cluster_nodes')
      .values({ node_id: name, ...joined })
      .execute();
    const times = { everyMs: 50, tellEveryMs: 100 };
    const { bus } = node;
    const watch = watchMissedEvents({
      db: database.db,
      bus,
      nowMs: () => performance.now(),
      log: console,
      ...times,
    });
    return { node, hub, watch };
  }

  const end = (index: number) => {
    const found = nodes[index];
    if (found === undefined) throw new Error('There is no such node.');
    return found;
  };
  const here = () => end(0);
  const there = () => end(1);
  const createProject = async () =>
    (await here().hub.invoke('projects_CreateProject', { name: 'Meadow' }, { cookie })).json['projectId'];
  const isSignedIn = async (own: string) =>
    (await there().hub.invoke('projects_QueryProjects', {}, { cookie: own })).status === 200;

  test('a change through one node is seen in the live view of the other', async () => {
    using reader = await readLiveView(there().hub, { cookie });
    expect(reader.status).toBe(200);
    const projectId = await createProject();
    await expect
      .poll(() => reader.received.map(({ data }) => data))
      .toContainEqual(expect.objectContaining({ projectId }));
  });

  test('a session that ends on one ends the live view on the other', async () => {
    const own = await here().hub.signIn('ada@example.org', password);
    using reader = await readLiveView(there().hub, { cookie: own });
    expect(await isSignedIn(own)).toBe(true);
    await here().hub.post('/api/private/logout', {}, { cookie: own });
    await reader.ended;
    expect(await isSignedIn(own)).toBe(false);
  });

  test('while NATS is away, the live view of the other is told to reload, and ended sessions end', async () => {
    await server.stop();
    await expect.poll(() => nodes.some(({ node }) => node.bus.isConnected)).toBe(false);
    const own = await here().hub.signIn('ada@example.org', password);
    using reader = await readLiveView(there().hub, { cookie });
    using ending = await readLiveView(there().hub, { cookie: own });
    await createProject();
    await reader.next({}, 'reset');
    await here().hub.post('/api/private/logout', {}, { cookie: own });
    await ending.ended;
    await expect.poll(() => isSignedIn(own)).toBe(false);
    await server.start();
    await expect.poll(() => nodes.every(({ node }) => node.bus.isConnected)).toBe(true);
    const projectId = await createProject();
    await expect
      .poll(() => reader.received.map(({ data }) => data))
      .toContainEqual(expect.objectContaining({ projectId }));
  });
});
