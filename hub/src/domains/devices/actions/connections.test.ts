import { ids, type Id } from '@corral/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { absentId } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject, waitingLocks } from '../../../../test/seed.ts';
import { RegisterDeviceConnection } from '../internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../internal/UnregisterDeviceConnection.ts';

const { hub, device } = deviceScene();
let nodeId: Id<'clusterNode'>;
beforeEach(async () => {
  nodeId = await seedNode(hub);
  hub.emittedEvents.length = 0;
});

const connection = () => ({
  deviceId: device.deviceId,
  nodeId,
  certificateId: device.certificateId,
  tokenId: device.tokenId,
});
const hints = () =>
  hub.emittedEvents.filter(({ name }) => name === 'devices_ConnectionChanged').map(({ data }) => data);
const rowOf = (connectionId: Id<'deviceConnection'>) =>
  hub.database.db
    .selectFrom('device_connections')
    .selectAll()
    .where('connection_id', '=', ids.deviceConnection.raw(connectionId))
    .executeTakeFirstOrThrow();

test('a connection begins and ends once, each with a hint', async () => {
  const { connectionId } = await hub.run(RegisterDeviceConnection, connection());
  const { deviceId, projectId } = device;
  expect(hints()).toEqual([{ projectId, deviceId, connectionId, isConnected: true }]);
  expect(await rowOf(connectionId)).toMatchObject({ ended_at: null, token_id: device.tokenId.slice(-22) });
  await hub.run(UnregisterDeviceConnection, { connectionId });
  hub.advance(1);
  await hub.run(UnregisterDeviceConnection, { connectionId, endReason: 'ServerShutdown' });
  expect(hints().slice(1)).toEqual([{ projectId, deviceId, connectionId, isConnected: false }]);
  expect(await rowOf(connectionId)).toMatchObject({ end_reason: 'Disconnected' });
});

test('a device is connected until its last connection ends, in any order', async () => {
  const register = () => hub.run(RegisterDeviceConnection, connection());
  const [first, second] = [await register(), await register()];
  await hub.run(UnregisterDeviceConnection, first);
  expect(hints().at(-1)).toMatchObject({ isConnected: true });
  await hub.run(UnregisterDeviceConnection, second);
  expect(hints().at(-1)).toMatchObject({ isConnected: false });
});

test('when connections end concurrently, the last hint says disconnected', async () => {
  const register = () => hub.run(RegisterDeviceConnection, connection());
  for (let round = 0; round < 5; round += 1) {
    const opened = await Promise.all([register(), register(), register()]);
    hub.emittedEvents.length = 0;
    await Promise.all(opened.map((one) => hub.run(UnregisterDeviceConnection, one)));
    expect(hints()).toHaveLength(3);
    expect(hints().at(-1)).toMatchObject({ isConnected: false });
  }
});

describe('no connection is registered', () => {
  const refused = () => hub.refused(RegisterDeviceConnection, connection());
  const { raw } = ids.device;

  test('by a node that lost its lease', async () => {
    hub.advance(15);
    expect(await refused()).toMatchObject({ kind: 'NotReady' });
  });

  test.each(['Pending', 'Rejected', 'Revoked'] as const)('on a %s certificate', async (status) => {
    await hub.database.db
      .updateTable('device_certificates')
      .set({ status })
      .where('device_id', '=', raw(device.deviceId))
      .execute();
    expect((await refused()).message).toContain('no longer admitted');
    expect(hints()).toEqual([]);
  });

  test.each(['device_certificates', 'deployment_tokens', 'devices'] as const)(
    'when its row of %s is gone',
    async (table) => {
      await (table === 'deployment_tokens'
        ? hub.database.db.deleteFrom(table).where('token_id', '=', device.tokenId.slice(-22)).execute()
        : hub.database.db.deleteFrom(table).where('device_id', '=', raw(device.deviceId)).execute());
      expect((await refused()).message).toContain('no longer admitted');
    },
  );

  test('for the certificate of another device, or the token of another project', async () => {
    const other = await seedDevice(hub, await seedProject(hub));
    for (const foreign of [{ certificateId: other.certificateId }, { tokenId: other.tokenId }]) {
      const input = { ...connection(), ...foreign };
      expect((await hub.refused(RegisterDeviceConnection, input)).kind).toBe('Forbidden');
    }
  });
});

test('a registration waits for a concurrent revocation and is then refused', async () => {
  const { db } = hub.database;
  let registration: Promise<{ kind: string }> | undefined;
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('device_certificates')
      .set({ status: 'Revoked' })
      .where('device_id', '=', ids.device.raw(device.deviceId))
      .execute();
    registration = hub.refused(RegisterDeviceConnection, connection());
    await expect.poll(() => waitingLocks(db)).toBeGreaterThan(0);
  });
  expect((await registration)?.kind).toBe('Forbidden');
});

test('ending a deleted connection is not an error', async () => {
  await hub.run(UnregisterDeviceConnection, { connectionId: absentId('deviceConnection') });
  expect(hints()).toEqual([]);
});

describe('concurrent registrations', () => {
  type Device = typeof device;
  const newDevices = async (): Promise<Device[]> => {
    const project = await seedProject(hub);
    return Promise.all(Array.from({ length: 100 }, () => seedDevice(hub, project)));
  };
  const register = ({ deviceId, certificateId, tokenId }: Device) =>
    hub.run(RegisterDeviceConnection, { deviceId, nodeId, certificateId, tokenId });
  const liveCount = async (devices: readonly Device[]) => {
    const rawIds = devices.map(({ deviceId }) => ids.device.raw(deviceId));
    const rows = await hub.database.db
      .selectFrom('device_connections')
      .select(['device_id', 'certificate_id', 'token_id', 'node_id'])
      .where('device_id', 'in', rawIds)
      .where('ended_at', 'is', null)
      .execute();
    return rows.length;
  };

  test('are each recorded and ended', async () => {
    const devices = await newDevices();
    const opened = await Promise.all(devices.map(register));
    const rows = await Promise.all(opened.map(({ connectionId }) => rowOf(connectionId)));
    expect(rows.map((row) => [row.device_id, row.certificate_id, row.token_id, row.node_id])).toEqual(
      devices.map(({ deviceId, certificateId, tokenId }) => [
        ids.device.raw(deviceId),
        ids.deviceCertificate.raw(certificateId),
        ids.deploymentTokenId.raw(tokenId),
        ids.clusterNode.raw(nodeId),
      ]),
    );
    hub.emittedEvents.length = 0;
    await Promise.all(opened.map((one) => hub.run(UnregisterDeviceConnection, one)));
    expect(await liveCount(devices)).toBe(0);
    const announced = hints().map(({ deviceId, isConnected }) => [deviceId, isConnected]);
    expect(new Map(announced as [string, boolean][])).toEqual(
      new Map(devices.map(({ deviceId }) => [deviceId, false])),
    );
  });

  test('are refused individually', async () => {
    const devices = await newDevices();
    await hub.database.db
      .updateTable('device_certificates')
      .set({ status: 'Revoked' })
      .where('device_id', '=', ids.device.raw(devices[50]!.deviceId))
      .execute();
    const outcomes = await Promise.allSettled(devices.map(register));
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([50]);
    expect(await liveCount(devices)).toBe(99);
  });

  test('do not wait for the locked row of another', async () => {
    const devices = await newDevices();
    const { db } = hub.database;
    const rawId = ids.device.raw(devices[0]!.deviceId);
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (tx) => {
      await tx.selectFrom('devices').select('name').where('device_id', '=', rawId).forUpdate().execute();
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const [first, ...others] = devices.map(register);
    const opened = await Promise.all(others);
    await expect.poll(() => waitingLocks(db)).toBe(1);
    await Promise.all(opened.map((one) => hub.run(UnregisterDeviceConnection, one)));
    expect(await liveCount(devices)).toBe(0);
    held.resolve();
    await holding;
    await first;
    expect(await liveCount(devices)).toBe(1);
  });
});
