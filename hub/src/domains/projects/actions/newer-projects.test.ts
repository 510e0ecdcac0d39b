import { ids, type Actor, type Id, type Json } from '@corral/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { projectScene } from '../../../../test/device-scene.ts';
import { absentId, anonymous, system } from '../../../../test/fresh-executor.ts';
import { byToken, seedDevice, seedNode, type Somebody } from '../../../../test/seed.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../../devices/internal/UnregisterDeviceConnection.ts';

const { hub, project, member, administrator } = projectScene();

describe('the fields that are versions', () => {
  const set = (actor: Actor, fields: string[]) =>
    hub.as(actor, 'projects_SetVersionFields', { projectId: project.projectId, fields });
  const refused = async (actor: Actor, fields: string[]) =>
    (await hub.refusal(actor, 'projects_SetVersionFields', { projectId: project.projectId, fields })).message;
  const shown = async () =>
    (await hub.as(member, 'projects_GetOverview', { projectId: project.projectId })).versions;

  test('are those that an owner names, and those that the hub finds without any', async () => {
    const { deviceId, actor } = await seedDevice(hub, project);
    const report = (name: string, value: Json) =>
      hub.as(actor, 'devices_SetDeviceProperty', { deviceId, name, value });
    await report('ota', { version: '2.1', slot: 'a' });
    await report('app.version', '1.0');
    expect((await shown()).map(({ field }) => field)).toEqual(['app.version']);
    await set(project.owner, ['ota.version', 'firmware']);
    expect(await shown()).toEqual([
      { field: 'ota.version', values: [{ value: '2.1', devices: 1 }], others: 0 },
    ]);
    await report('firmware', '7');
    expect((await shown()).map(({ field }) => field)).toEqual(['ota.version', 'firmware']);
    const details = await hub.as(member, 'projects_GetProjectDetails', { projectId: project.projectId });
    expect(details.versionFields).toEqual(['ota.version', 'firmware']);
    await set(project.owner, []);
    expect((await shown()).map(({ field }) => field)).toEqual(['app.version']);
  });

  test('are changed by owners, and name what devices report', async () => {
    expect(await refused(member, ['firmware'])).toBe('Only an owner of the project may do this.');
    expect(await refused(project.owner, ['a', 'b', 'c', 'd', 'e'])).toContain('at most 4');
    expect(await refused(project.owner, ['label.site'])).toBe(
      'A label is set by people; name what devices report.',
    );
    for (const known of ['connected', 'name', 'uptime', 'silent'])
      expect(await refused(project.owner, ['firmware', known])).toContain('are known to the hub');
    await set(project.owner, ['agent', 'kernel', 'connected.by']);
    for (const wrong of ['', 'a b', '(a', 'a"', 'a.', '-a', 'a:b'])
      expect(await refused(project.owner, [wrong])).toContain('A field is the name of a property');
  });
});

describe('renaming a project', () => {
  const rename = (actor: Actor, name: string) =>
    hub.as(actor, 'projects_SetName', { projectId: project.projectId, name });
  const refused = (actor: Actor, name: string) =>
    hub.refusal(actor, 'projects_SetName', { projectId: project.projectId, name });
  const name = async () =>
    (await hub.as(member, 'projects_GetProjectDetails', { projectId: project.projectId })).name;

  test("is allowed to owners and administrators, and is recorded in the project's log", async () => {
    hub.advance(1);
    await rename(project.owner, '  Harbour ');
    expect(await name()).toBe('Harbour');
    const { events } = await hub.as(member, 'projects_QueryAuditLog', { projectId: project.projectId });
    expect(events[0]).toMatchObject({
      event: 'projects_NameChanged',
      actor: { userId: project.owner.userId },
      data: { projectId: project.projectId, name: 'Harbour' },
    });
    await rename(await byToken(hub, project.owner), 'Port');
    await rename(administrator, 'Dock');
    expect(await name()).toBe('Dock');
    expect((await refused(member, 'Mine')).kind).toBe('Forbidden');
    expect((await refused(await byToken(hub, administrator), 'Mine')).message).toBe('Project not found.');
    expect(await name()).toBe('Dock');
  });

  test('requires a name within the length limit', async () => {
    expect((await refused(project.owner, ' ')).message).toBe('Name must not be empty.');
    expect((await refused(project.owner, 'x'.repeat(201))).message).toContain('at most 200');
    await rename(project.owner, 'x'.repeat(200));
    expect(hub.emittedEvents).toHaveLength(1);
  });
});

describe('a project is created for an organization', () => {
  const of = ({ userId }: Somebody): Id<'organization'> => ids.organization.of(ids.user.raw(userId));
  const create = (actor: Actor, organizationId: Id<'organization'>, more = {}) =>
    hub.as(actor, 'projects_CreateProject', { name: 'Farm', organizationId, ...more });
  const refused = (actor: Actor, organizationId: string, more = {}) =>
    hub.refusal(actor, 'projects_CreateProject', { name: 'Farm', organizationId, ...more });
  const ownersOf = async (projectId: Id<'project'>) =>
    (await hub.as(system, 'projects_QueryProjectMembers', { projectId })).users.map(({ userId }) => userId);

  test('whose user becomes the owner', async () => {
    for (const actor of [member, await byToken(hub, member), administrator, system])
      expect(await ownersOf((await create(actor, of(member))).projectId)).toEqual([member.userId]);
  });

  test('of another user by administrators only; others get not found', async () => {
    const absent = absentId('organization');
    for (const actor of [member, await byToken(hub, administrator)])
      for (const organizationId of [of(project.owner), absent])
        expect(await refused(actor, organizationId)).toEqual({
          kind: 'Invalid',
          message: 'Organization not found.',
        });
    expect((await refused(administrator, absent)).message).toBe('Organization not found.');
  });

  test('or for an owner, but not for both', async () => {
    expect((await refused(member, of(member), { owner: member.userId })).message).toContain('not both');
    expect((await refused(member, member.userId)).message).toContain('must be org_ and 22 symbols');
    expect((await refused(anonymous, of(member))).kind).toBe('NotSignedIn');
  });
});

describe('the list of devices', () => {
  let deviceId: Id<'device'>;
  let device: Actor;
  beforeEach(async () => void ({ deviceId, actor: device } = await seedDevice(hub, project)));

  const setProperty = (name: string, value: Json) =>
    hub.as(device, 'devices_SetDeviceProperty', { deviceId, name, value });
  const listed = async () => {
    const { devices } = await hub.as(member, 'projects_QueryProjectDevices', {
      projectId: project.projectId,
    });
    return devices[0];
  };
  const connect = async () => hub.run(RegisterDeviceConnection, { deviceId, nodeId: await seedNode(hub) });

  test.each([
    ['healthy', { status: 'healthy' }],
    ['warning', { status: 'degraded' }],
    ['error', { status: 'error' }],
    ['healthy', { status: 'unheard of' }],
    ['healthy', { status: 7 }],
    ['healthy', ['status']],
    ['healthy', 'status'],
    ['healthy', null],
  ])('tells a connected device %s by its property %j', async (status, health) => {
    await setProperty('dev.nexigon.system.health', health);
    expect(await listed()).toMatchObject({ status: 'offline', isConnected: false });
    const connection = await connect();
    hub.advance(4);
    expect(await listed()).toMatchObject({ status, isConnected: true, currentConnectionDurationSecs: 4 });
    await hub.run(UnregisterDeviceConnection, connection);
    expect(await listed()).toMatchObject({ status: 'offline' });
    expect(await listed()).not.toHaveProperty('currentConnectionDurationSecs');
  });

  test('shows the host name from the newest system information', async () => {
    expect(await listed()).not.toHaveProperty('hostname');
    await setProperty('dev.nexigon.systemInfo', { hostname: 'crane-04' });
    expect(await listed()).toMatchObject({ hostname: 'crane-04' });
    hub.advance(1);
    await setProperty('dev.nexigon.system.info', { hostname: 'crane-05' });
    expect(await listed()).toMatchObject({ hostname: 'crane-05' });
    hub.advance(1);
    await setProperty('dev.nexigon.systemInfo', { hostname: 'crane-06' });
    expect(await listed()).toMatchObject({ hostname: 'crane-06' });
  });

  test.each([null, 7, 'crane', ['hostname'], { hostname: 7 }, { hostname: null }, { hostname: '' }, {}])(
    'finds no host name in %j',
    async (info) => {
      await setProperty('dev.nexigon.system.info', info as Json);
      expect(await listed()).not.toHaveProperty('hostname');
    },
  );
});
