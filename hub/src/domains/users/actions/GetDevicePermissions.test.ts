import { expect, test } from 'vitest';
import { absentId, freshExecutor, system } from '../../../../test/fresh-executor.ts';
import { insertDevice, createUserToken } from '../../../../test/test-users.ts';

test("members and administrators have access, others and administrators' tokens have none", async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const bea = await hub.user('bea@example.com');
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const { projectId } = await hub.as(ann, 'projects_CreateProject', { name: 'Farm' });
  const deviceId = await insertDevice(hub, projectId);
  const adminToken = await createUserToken(hub, admin);
  const node = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId: absentId('clusterNode') } as const;
  const ask = async (actor: Parameters<typeof hub.as>[0], userId: typeof ann.userId, device = deviceId) =>
    (await hub.as(actor, 'users_GetDevicePermissions', { userId, deviceId: device })).hasAccess;
  expect(await ask(ann, ann.userId)).toBe(true);
  expect(await ask(await createUserToken(hub, ann), ann.userId)).toBe(true);
  expect(await ask(bea, bea.userId)).toBe(false);
  expect(await ask(admin, bea.userId)).toBe(false);
  expect(await ask(admin, ann.userId)).toBe(true);
  expect(await ask(admin, admin.userId)).toBe(true);
  expect(await ask(adminToken, admin.userId)).toBe(false);
  expect(await ask(system, ann.userId)).toBe(true);
  expect(await ask(node, bea.userId)).toBe(false);
  expect(await ask(ann, ann.userId, absentId('device'))).toBe(false);
});
