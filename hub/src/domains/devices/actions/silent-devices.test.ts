import type { Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject, type SeededProject } from '../../../../test/seed.ts';
import { CleanupInactiveClusterNodes } from '../../instance/internal/CleanupInactiveClusterNodes.ts';
import { RecordSilences } from '../internal/RecordSilences.ts';
import { RegisterDeviceConnection } from '../internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../internal/UnregisterDeviceConnection.ts';

let hub: FreshExecutor;
let project: SeededProject;
let nodeId: Id<'clusterNode'>;
beforeEach(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  nodeId = await seedNode(hub, 'north');
  await sql`update cluster_nodes set lease_until = lease_until + interval '1 year'`.execute(hub.database.db);
});
afterEach(() => hub[Symbol.asyncDispose]());

const hours = (count: number) => hub.advance(count * 3600);
const node = () => ({ actor: 'ClusterNode', kind: 'ClusterNode', nodeId }) as const;

async function addDevice() {
  const { deviceId } = await seedDevice(hub, project);
  return {
    deviceId,
    async connect() {
      const { connectionId } = await hub.run(RegisterDeviceConnection, { deviceId, nodeId }, node());
      return () => hub.run(UnregisterDeviceConnection, { connectionId }, node());
    },
    /** Connects for some hours, and stays away for others. */
    async visit(connectedHours: number, awayHours: number): Promise<void> {
      const leave = await this.connect();
      hours(connectedHours);
      await leave();
      hours(awayHours);
    },
  };
}

/** Whether anything is silent: by the list, its count, and the overview. */
async function isSilent(): Promise<boolean> {
  while ((await hub.run(RecordSilences)).hasMore);
  const { projectId, owner } = project;
  const { devices } = await hub.as(owner, 'projects_QueryProjectDevices', { projectId, filter: 'silent' });
  const { count } = await hub.as(owner, 'projects_CountProjectDevices', { projectId, filter: 'has:silent' });
  const { needs } = await hub.as(owner, 'projects_GetOverview', { projectId });
  const need = needs.find(({ kind }) => kind === 'SilentDevices')?.count ?? 0;
  expect([count, need]).toEqual([devices.length, devices.length]);
  return count > 0;
}

test('a device that is switched off each night is missed when it has been away for three nights', async () => {
  const device = await addDevice();
  for (let day = 0; day < 5; day += 1) await device.visit(12, 12);
  expect(await isSilent()).toBe(false);
  hours(23.9);
  expect(await isSilent()).toBe(false);
  hours(0.2);
  expect(await isSilent()).toBe(true);
  const leave = await device.connect();
  expect(await isSilent()).toBe(false);
  await leave();
  expect(await isSilent()).toBe(false);
  hours(36);
  // Its longest absence is now the one of which it came back.
  expect(await isSilent()).toBe(false);
});

test('a device that is never away for more than minutes is missed after an hour, and not one of which too little is known', async () => {
  const device = await addDevice();
  for (let count = 0; count < 4; count += 1) await device.visit(1, 0.1);
  hours(100);
  expect(await isSilent()).toBe(false);
  await device.visit(24 * 31, 0.9);
  expect(await isSilent()).toBe(false);
  hours(0.2);
  expect(await isSilent()).toBe(true);
});

test('the devices of a lost node have left when its lease ended, not when they connected', async () => {
  const device = await addDevice();
  for (let count = 0; count < 4; count += 1) await device.visit(1, 0.1);
  await device.connect();
  hours(2);
  expect(await isSilent()).toBe(false);
  await sql`update cluster_nodes set lease_until = ${hub.now()}`.execute(hub.database.db);
  expect(await isSilent()).toBe(false);
  await hub.run(CleanupInactiveClusterNodes);
  hours(0.9);
  expect(await isSilent()).toBe(false);
  hours(0.2);
  expect(await isSilent()).toBe(true);
});
