import { sql } from 'kysely';
import { ids, type Id } from '@corral/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { gatewayScene, type GatewayScene, type OldAgent } from '../../../test/gateway-scene.ts';
import { framesUntilClose } from '../../../test/close-frame.ts';
import { frame, tags } from '../../../test/first-generation-frames.ts';
import { waitingLocks } from '../../../test/seed.ts';
import { rawUpgrade, type RawAnswer } from '../../../test/raw-web-socket.ts';
import { CleanupInactiveClusterNodes } from '../../domains/instance/internal/CleanupInactiveClusterNodes.ts';

let scene: GatewayScene;
beforeEach(async () => void (scene = await gatewayScene()));
afterEach(() => scene[Symbol.asyncDispose]());

const recorded = async (deviceId: Id<'device'>) => (await scene.details(deviceId)).recentConnections?.[0];

/** Reasons for which the hub ends the connection of a device that has just sent a Ping. */
const ways: [string, string, (agent: OldAgent) => Promise<unknown>][] = [
  ['the hub stops', 'the hub is stopping', () => scene.gateway.stop()],
  [
    'the node has had no lease for too long',
    'go elsewhere',
    async () => {
      scene.loseLease(14_999);
      scene.loseLease(15_000);
    },
  ],
  [
    'the device connects a fifth time',
    'the device has too many connections',
    ({ device }) => Promise.all([1, 2, 3, 4].map(() => scene.oldAgent({ device }))),
  ],
  [
    'its certificate is revoked',
    'the certificate is not active any more',
    async ({ deviceId }) => {
      const { certificateId } = (await scene.details(deviceId)).certificates[0]!;
      const input = { certificateId, status: 'Revoked' } as const;
      await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', input);
    },
  ],
  [
    'it is silent',
    'the peer is silent',
    async ({ peer }) => {
      peer.fallSilent();
      scene.advance(20_000);
    },
  ],
];

describe('an old agent whose Ping is answered ends at once', () => {
  test.each(ways)('when %s', async (_when, reason, end) => {
    const agent = await scene.oldAgent({ pingsOnce: true });
    agent.peer.send(frame(tags.ping));
    const pongs = () => agent.peer.frames.filter(([tag]) => tag === tags.pong);
    await vi.waitFor(() => expect(pongs()).toHaveLength(2));
    await end(agent);
    const { tags: sent, reason: sentReason } = await framesUntilClose(agent.peer.webSocket);
    expect(sentReason).toBe(reason);
    expect(sent.filter((tag) => tag === tags.pong)).toHaveLength(2);
    expect(agent.peer.webSocket.socket.readableEnded).toBe(true);
  });
});

describe('a hub that stops', () => {
  test('answers a running call, refuses new connections, and records why connections ended', async () => {
    const { peer, deviceId } = await scene.oldAgent();
    const { peer: idle } = await scene.oldAgent();
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = scene.hub.database.db.transaction().execute(async (tx) => {
      await sql`select 1 from devices where device_id = ${ids.device.raw(deviceId)} for update`.execute(tx);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const calling = peer.call('devices_SetDeviceMetadata', { deviceId, metadata: { a: 1 } });
    calling.catch(() => {});
    await vi.waitFor(async () => expect(await waitingLocks(scene.hub.database.db)).toBe(1));
    const stopped = scene.gateway.stop();
    expect((await framesUntilClose(idle.webSocket)).reason).toBe('the hub is stopping');
    expect(peer.webSocket.isEnded).toBe(false);
    const refused = (await rawUpgrade(scene.url, deviceHeaders(await newDevice(), scene.token))) as RawAnswer;
    expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('The hub is stopping.') });
    // The time of a restart, and a random part that spreads the clients.
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(5);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(9);
    held.resolve();
    await holding;
    expect(await calling).toMatchObject({ result: 'Ok' });
    await stopped;
    expect(peer.connectionClose).toBe('the hub is stopping');
    expect(await recorded(deviceId)).toMatchObject({ endReason: 'ServerShutdown' });
  });

  test('with many connections sends scheduled retry times in Close frames and to clients that connect meanwhile', async () => {
    // A device may have sixteen links at once.
    const devices = await Promise.all(Array.from({ length: 14 }, () => newDevice()));
    const connect = async (info: string, index: number): Promise<OpenLink> => {
      const headers = deviceHeaders(devices[index % 14]!, scene.token, false);
      const link = (await connectLink(scene.url, headers, undefined, info)) as OpenLink;
      // The response proves that the hub has read the Hello.
      await (await link.rpc()).invoke('actor_GetActor', {});
      return link;
    };
    const ours = await Promise.all(
      Array.from({ length: 101 }, (_, index) => connect('corral-agent/1', index)),
    );
    const others = await Promise.all(Array.from({ length: 100 }, (_, index) => connect('', index)));
    const stopped = scene.gateway.stop();
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
    expect(await connectLink(scene.url, deviceHeaders(devices[0]!, scene.token))).toMatchObject({
      status: 503,
    });
    await stopped;
  });
});

describe('a node without a lease', () => {
  test('refuses connections until it has one again', async () => {
    const headers = deviceHeaders(await newDevice(), scene.token);
    scene.loseLease(1);
    expect(await rawUpgrade(scene.url, headers)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
    scene.loseLease(0);
    const { peer } = await scene.oldAgent();
    expect(await peer.call('actor_GetActor', {})).toMatchObject({ result: 'Ok' });
    peer.leave();
  });

  test('and its connections are recorded as crashed by the next node', async () => {
    const { deviceId, peer } = await scene.oldAgent();
    scene.hub.advance(60);
    await scene.hub.run(CleanupInactiveClusterNodes);
    expect(await recorded(deviceId)).toMatchObject({ endReason: 'NodeCrashed' });
    peer.leave();
  });
});
