import type { Id } from '@corral/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, newDevice, type TestDevice } from '../../../test/device-client.ts';
import { deviceIdOf, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeEach(async () => void (scene = await gatewayScene()));
afterEach(() => scene[Symbol.asyncDispose]());

type DeviceId = Id<'device'>;

const presence = (deviceId: DeviceId) => scene.hub.as(scene.owner, 'devices_GetPresence', { deviceId });
const timeline = async (deviceId: DeviceId) =>
  (await scene.hub.as(scene.owner, 'devices_QueryTimeline', { deviceId })).entries;
const isGone = (deviceId: DeviceId) =>
  vi.waitFor(async () => expect((await presence(deviceId)).state).toBe('Disconnected'), 5_000);

/** Lets time pass until the hub has given up a silent device. */
const isSilent = (deviceId: DeviceId) =>
  vi.waitFor(async () => {
    scene.advance(5_000);
    expect((await presence(deviceId)).state).toBe('Disconnected');
  }, 10_000);

/** Connects a device and tells its id. */
async function connected(device?: TestDevice) {
  const known = device ?? (await newDevice());
  const link = await scene.connectDevice(known);
  return { device: known, link, deviceId: await deviceIdOf(link) };
}

/** Connects in vain, and waits until the hub has recorded it. */
async function refusedOnce(device: TestDevice, deviceId: DeviceId, headers: Record<string, string>) {
  await expect(connectLink(scene.url, headers)).resolves.toHaveProperty('status');
  await vi.waitFor(async () => expect((await presence(deviceId)).cause).toBe('Refused'), 5_000);
}

/** How each cause comes about; resolves to the device, and what the sentence says. */
const causes: [cause: string, sentence: RegExp, come: () => Promise<DeviceId>][] = [
  [
    'NeverSeen',
    /never been connected/,
    async () => {
      const { projectId } = scene;
      const { fingerprint } = await newDevice();
      const made = await scene.hub.as(scene.owner, 'devices_CreateDevice', { projectId, fingerprint });
      return made.deviceId;
    },
  ],
  [
    'Refused',
    /refused: The certificate of this device is pending/,
    async () => {
      const device = await newDevice();
      const { token } = await scene.newToken(false);
      await connectLink(scene.url, deviceHeaders(device, token));
      const { projectId } = scene;
      const { devices } = await scene.hub.as(scene.owner, 'projects_QueryProjectDevices', { projectId });
      const [{ deviceId } = { deviceId: '' as DeviceId }] = devices;
      await refusedOnce(device, deviceId, deviceHeaders(device, token));
      return deviceId;
    },
  ],
  [
    'Refused',
    /refused: The certificate of this device was revoked/,
    async () => {
      const { device, deviceId } = await connected();
      const { certificateId } = (await scene.details(deviceId)).certificates[0]!;
      const input = { certificateId, status: 'Revoked' } as const;
      await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', input);
      await isGone(deviceId);
      // Before the device comes again, its end says it.
      expect(await presence(deviceId)).toMatchObject({ cause: 'Refused' });
      expect((await presence(deviceId)).sentence).toMatch(/the certificate is not active any more/);
      await refusedOnce(device, deviceId, deviceHeaders(device, scene.token));
      await vi.waitFor(async () => expect((await presence(deviceId)).sentence).toMatch(/was revoked/));
      return deviceId;
    },
  ],
  [
    'Refused',
    /refused: The deployment token is not known/,
    async () => {
      const { token, tokenId } = await scene.newToken(true);
      const device = await newDevice();
      const deviceId = await deviceIdOf(await scene.connectDevice(device, token));
      await scene.hub.as(scene.owner, 'projects_DeleteDeploymentToken', { tokenId });
      await isGone(deviceId);
      await refusedOnce(device, deviceId, deviceHeaders(device, token));
      return deviceId;
    },
  ],
  [
    'Refused',
    /refused: A client certificate is missing/,
    async () => {
      const { device, deviceId, link } = await connected();
      link.connection.close('');
      await isGone(deviceId);
      const { 'x-client-cert': _, ...headers } = deviceHeaders(device, scene.token);
      await refusedOnce(device, deviceId, headers);
      return deviceId;
    },
  ],
  [
    'Left',
    /closed its connection itself.*It said: going home/,
    async () => {
      const { deviceId, link } = await connected();
      link.connection.close('going home');
      return deviceId;
    },
  ],
  [
    'HubWentAway',
    /The hub was stopped; the device is expected back within/,
    async () => {
      const { deviceId } = await connected();
      await scene.gateway.stop();
      return deviceId;
    },
  ],
  [
    'HubWentAway',
    /The node of the hub .* went away, and the device has not come back/,
    async () => {
      const { deviceId } = await connected();
      scene.hub.advance(600);
      return deviceId;
    },
  ],
  [
    'ManyTogether',
    /not this device: 6 devices behind the same address 127.0.0.1 ended within a minute/,
    async () => {
      const agents = await Promise.all(Array.from({ length: 6 }, () => scene.oldAgent()));
      for (const { peer } of agents) peer.fallSilent();
      await Promise.all(agents.map(({ deviceId }) => isSilent(deviceId)));
      return agents[0]!.deviceId;
    },
  ],
  [
    'Flapping',
    /does not hold: the device connected 6 times or more/,
    async () => {
      const device = await newDevice();
      for (let time = 0; time < 6; time += 1) {
        const { link, deviceId } = await connected(device);
        link.socket.destroy();
        await isGone(deviceId);
        scene.hub.advance(2);
      }
      const { projectId } = scene;
      const { devices } = await scene.hub.as(scene.owner, 'projects_QueryProjectDevices', { projectId });
      return devices[0]!.deviceId;
    },
  ],
  [
    'Silent',
    /fell silent without closing/,
    async () => {
      const { peer, deviceId } = await scene.oldAgent();
      peer.fallSilent();
      await isSilent(deviceId);
      return deviceId;
    },
  ],
  [
    'Unknown',
    /The hub doesn't know which/,
    async () => {
      const { link, deviceId } = await connected();
      link.socket.destroy();
      return deviceId;
    },
  ],
];

describe('a device that is not connected', () => {
  test.each(causes)('is told apart: %s, %s', async (cause, sentence, come) => {
    const deviceId = await come();
    await isGone(deviceId);
    const told = await presence(deviceId);
    expect(told).toMatchObject({ cause, sentence: expect.stringMatching(sentence) });
    expect(told.checks).toHaveLength(3);
    const times = (await timeline(deviceId)).map(({ at }) => Date.parse(at));
    // What is given as evidence is in the timeline.
    if (cause !== 'HubWentAway')
      for (const { at, title } of told.evidence)
        if (!title.startsWith('Not the hub')) expect(times).toContain(Date.parse(at ?? ''));
  });
});

test('a connected device has no cause', async () => {
  const { deviceId } = await connected();
  const told = await presence(deviceId);
  expect(told).toMatchObject({ state: 'Connected', checks: [], evidence: [] });
  expect(told.cause).toBeUndefined();
});

describe('refused connections', () => {
  test('are kept for the device that was refused, equal ones as one, and counted', async () => {
    const { device, deviceId, link } = await connected();
    link.connection.close('');
    await isGone(deviceId);
    const { certificateId } = (await scene.details(deviceId)).certificates[0]!;
    const input = { certificateId, status: 'Revoked' } as const;
    await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', input);
    const refusals = async () => (await timeline(deviceId)).filter(({ kind }) => kind === 'Refusal');
    for (let count = 1; count <= 3; count += 1) {
      scene.hub.advance(1);
      await connectLink(scene.url, deviceHeaders(device, scene.token));
      await vi.waitFor(async () => expect((await refusals())[0]?.data).toMatchObject({ count }), 5_000);
    }
    expect(await refusals()).toMatchObject([
      { title: '3 connections refused', data: { reason: 'CertificateRevoked' } },
    ]);
    expect((await presence(deviceId)).evidence).toContainEqual(
      expect.objectContaining({ title: 'Refused 3 times' }),
    );
  });

  test('of others who know only a part of the fingerprint are not those of the device', async () => {
    const { device, deviceId, link } = await connected();
    link.connection.close('');
    await isGone(deviceId);
    const guess = { ...device, fingerprint: `${device.fingerprint.slice(0, -5)}11111` as never };
    await connectLink(scene.url, deviceHeaders(guess, scene.token));
    await scene.gateway.stop();
    expect(await presence(deviceId)).toMatchObject({ cause: 'Left' });
  });
});
