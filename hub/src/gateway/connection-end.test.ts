import { sql } from 'kysely';
import { ids, type Id } from '@corral/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, newDevice, type OpenLink } from '../../test/device-client.ts';
import { deviceDoor, type DeviceDoor, type OldAgent } from '../../test/device-door.ts';
import { ending } from '../../test/ending.ts';
import { system } from '../../test/fresh-executor.ts';
import { frame, tags } from '../../test/old-frames.ts';
import { waitingLocks } from '../../test/seed.ts';
import { rawUpgrade, type RawAnswer, type RawWebSocket } from '../../test/raw-web-socket.ts';

let door: DeviceDoor;
beforeEach(async () => void (door = await deviceDoor()));
afterEach(() => door[Symbol.asyncDispose]());

const recorded = async (deviceId: Id<'device'>) => (await door.details(deviceId)).recentConnections?.[0];

/** Reasons for which the hub ends the connection of a device that has just sent a Ping. */
const ways: [string, string, (agent: OldAgent) => Promise<unknown>][] = [
  ['the hub stops', 'the hub is stopping', () => door.gateway.stop()],
  [
    'the node has had no lease for too long',
    'go elsewhere',
    async () => {
      door.loseLease(14_999);
      door.loseLease(15_000);
    },
  ],
  [
    'the device connects a fifth time',
    'the device has too many connections',
    ({ device }) => Promise.all([1, 2, 3, 4].map(() => door.oldAgent({ device }))),
  ],
  [
    'its certificate is revoked',
    'the certificate is not active any more',
    async ({ deviceId }) => {
      const { certificateId } = (await door.details(deviceId)).certificates[0]!;
      const input = { certificateId, status: 'Revoked' } as const;
      await door.hub.as(door.owner, 'devices_SetDeviceCertificateStatus', input);
    },
  ],
  [
    'it is silent',
    'the peer is silent',
    async () => {
      door.pass(20_000);
    },
  ],
];

describe('an old agent whose Ping is answered ends at once', () => {
  test.each(ways)('when %s', async (_when, reason, end) => {
    const agent = await door.oldAgent();
    agent.peer.say(frame(tags.ping));
    const pongs = () => agent.peer.frames.filter(([tag]) => tag === tags.pong);
    await vi.waitFor(() => expect(pongs()).toHaveLength(2));
    await end(agent);
    const { tags: sent, reason: sentReason } = await ending(agent.peer.webSocket);
    expect(sentReason).toBe(reason);
    expect(sent.filter((tag) => tag === tags.pong)).toHaveLength(2);
    expect(agent.peer.webSocket.socket.readableEnded).toBe(true);
  });
});

describe('a hub that stops', () => {
  test('answers a running call, refuses new connections, and records why connections ended', async () => {
    const { peer, deviceId } = await door.oldAgent();
    const { peer: idle } = await door.oldAgent();
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = door.hub.database.db.transaction().execute(async (tx) => {
      await sql`select 1 from devices where device_id = ${ids.device.raw(deviceId)} for update`.execute(tx);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const calling = peer.call('devices_SetDeviceMetadata', { deviceId, metadata: { a: 1 } });
    calling.catch(() => {});
    await vi.waitFor(async () => expect(await waitingLocks(door.hub.database.db)).toBe(1));
    const stopped = door.gateway.stop();
    expect((await ending(idle.webSocket)).reason).toBe('the hub is stopping');
    expect(peer.webSocket.isEnded).toBe(false);
    const refused = (await rawUpgrade(door.url, deviceHeaders(await newDevice(), door.token))) as RawAnswer;
    expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('The hub is stopping.') });
    // The time of a restart, and a random part that spreads the clients.
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(5);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(9);
    held.resolve();
    await holding;
    expect(await calling).toMatchObject({ result: 'Ok' });
    await stopped;
    expect(peer.farewell).toBe('the hub is stopping');
    expect(await recorded(deviceId)).toMatchObject({ endReason: 'ServerShutdown' });
  });

  test('with many connections sends scheduled retry times in Close frames and to clients that connect meanwhile', async () => {
    const devices = [await newDevice(), await newDevice()];
    const connect = async (info: string, index: number): Promise<OpenLink> => {
      const headers = deviceHeaders(devices[index % 2]!, door.token, false);
      const link = (await connectLink(door.url, headers, undefined, info)) as OpenLink;
      // The response proves that the hub has read the Hello.
      await (await link.rpc()).invoke('actor_GetActor', {});
      return link;
    };
    const ours = await Promise.all(
      Array.from({ length: 101 }, (_, index) => connect('corral-agent/1', index)),
    );
    const others = await Promise.all(Array.from({ length: 100 }, (_, index) => connect('', index)));
    const stopped = door.gateway.stop();
    const reasons = async (links: readonly OpenLink[]) =>
      (await Promise.all(links.map(({ connection }) => connection.closed))).map(({ reason }) => reason);
    const oursReasons = await reasons(ours);
    expect(oursReasons.filter((reason) => !/^the hub is stopping: come back in \d+ s$/.test(reason))).toEqual(
      [],
    );
    const waitsSecs = oursReasons.map((reason) => Number(/\d+/.exec(reason)));
    expect(Math.min(...waitsSecs)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...waitsSecs)).toBeLessThanOrEqual(10);
    expect(new Set(await reasons(others))).toEqual(new Set(['the hub is stopping']));
    // All connections are closed, and new attempts are still answered.
    expect(await connectLink(door.url, deviceHeaders(devices[0]!, door.token))).toMatchObject({
      status: 503,
    });
    await stopped;
  });

  test('closes many connections in steps', async () => {
    const device = await newDevice();
    const open = async (): Promise<RawWebSocket> =>
      (await rawUpgrade(door.url, deviceHeaders(device, door.token, false))) as RawWebSocket;
    const webSockets = await Promise.all(Array.from({ length: 120 }, open));
    const counts = new Set<number>();
    const watching = setInterval(() => counts.add(door.gateway.counts.links), 5);
    await door.gateway.stop();
    await Promise.all(webSockets.map(({ ended }) => ended));
    clearInterval(watching);
    expect([...counts].filter((count) => count > 0 && count < 120)).not.toEqual([]);
    expect(door.gateway.counts.links).toBe(0);
  });
});

describe('a node without a lease', () => {
  test('refuses connections until it has one again', async () => {
    const headers = deviceHeaders(await newDevice(), door.token);
    door.loseLease(1);
    expect(await rawUpgrade(door.url, headers)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
    door.loseLease(0);
    const { peer } = await door.oldAgent();
    expect(await peer.call('actor_GetActor', {})).toMatchObject({ result: 'Ok' });
    peer.leave();
  });

  test('and its connections are recorded as crashed by the next node', async () => {
    const { deviceId, peer } = await door.oldAgent();
    door.hub.advance(60);
    await door.hub.as(system, 'cluster_CleanupInactiveClusterNodes', {});
    expect(await recorded(deviceId)).toMatchObject({ endReason: 'NodeCrashed' });
    peer.leave();
  });
});
