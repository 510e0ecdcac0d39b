import { ids, type DeviceCertificateStatus, type Id } from '@corral/contract';
import { expect, test } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { insertDevice } from '../../../../test/test-users.ts';

async function givenNode(hub: FreshExecutor, leaseSecs: number): Promise<string> {
  const nodeId = newRawId();
  const at = hub.now();
  const leaseUntil = new Date(at.getTime() + leaseSecs * 1000);
  await hub.database.db
    .insertInto('cluster_nodes')
    .values({ node_id: nodeId, name: null, joined_at: at, lease_until: leaseUntil, last_heartbeat_at: at })
    .execute();
  return nodeId;
}

async function givenConnection(
  hub: FreshExecutor,
  deviceId: Id<'device'>,
  nodeId: string,
  hasEnded = false,
): Promise<void> {
  await hub.database.db
    .insertInto('device_connections')
    .values({
      connection_id: newRawId(),
      device_id: ids.device.raw(deviceId),
      node_id: nodeId,
      certificate_id: null,
      token_id: null,
      connected_at: hub.now(),
      ended_at: hasEnded ? hub.now() : null,
      end_reason: hasEnded ? 'Disconnected' : null,
    })
    .execute();
}

async function givenCertificate(
  hub: FreshExecutor,
  deviceId: Id<'device'>,
  status: DeviceCertificateStatus,
): Promise<void> {
  const row = { certificate_id: newRawId(), fingerprint: newRawId(), status, created_at: hub.now() };
  await hub.database.db
    .insertInto('device_certificates')
    .values({ ...row, device_id: ids.device.raw(deviceId) })
    .execute();
}

test('projects are listed by name, with their devices, live ones and pending certificates', async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const zoo = await hub.as(ann, 'projects_CreateProject', { name: 'Zoo' });
  const farm = await hub.as(admin, 'projects_CreateProject', { name: 'farm' });
  await hub.as(admin, 'projects_CreateProject', { name: 'Not hers' });
  await hub.database.db
    .insertInto('project_members')
    .values({
      project_id: ids.project.raw(farm.projectId),
      user_id: ids.user.raw(ann.userId),
      is_owner: false,
      added_at: hub.now(),
    })
    .execute();
  const [alive, dead] = [await givenNode(hub, 15), await givenNode(hub, 0)];
  const [one, two, three] = [
    await insertDevice(hub, farm.projectId),
    await insertDevice(hub, farm.projectId),
    await insertDevice(hub, farm.projectId),
  ];
  await givenConnection(hub, one, alive);
  await givenConnection(hub, one, alive);
  await givenConnection(hub, two, dead);
  await givenConnection(hub, three, alive, true);
  for (const status of ['Pending', 'Pending', 'Active'] as const) await givenCertificate(hub, one, status);
  await givenCertificate(hub, three, 'Pending');

  const expected = {
    projects: [
      {
        projectId: farm.projectId,
        name: 'farm',
        devices: 3,
        connectedDevices: 1,
        pendingCertificates: 3,
        isOwner: false,
      },
      {
        projectId: zoo.projectId,
        name: 'Zoo',
        devices: 0,
        connectedDevices: 0,
        pendingCertificates: 0,
        isOwner: true,
      },
    ],
  };
  expect(await hub.as(ann, 'users_QueryUserProjects', { userId: ann.userId })).toEqual(expected);
  expect(await hub.as(admin, 'users_QueryUserProjects', { userId: ann.userId })).toEqual(expected);
});
