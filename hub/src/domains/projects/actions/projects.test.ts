import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { projectScene } from '../../../../test/device-scene.ts';
import { freshExecutor, system, userActor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { absentId } from '../../../../test/fresh-executor.ts';
import { mostRowsOf } from '../../../../test/plan-rows.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import {
  byToken,
  seedDevice,
  seedMember,
  seedNode,
  seedProject,
  seedToken,
  waitingLocks,
  type Somebody,
} from '../../../../test/seed.ts';
import { AuthenticateDevice } from '../../devices/internal/AuthenticateDevice.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';

const { hub, project, member, stranger, administrator } = projectScene();

const emitted = () => hub.emittedEvents.map(({ name, data }) => ({ name, data }));

describe('access to a project', () => {
  const listOf = async (actor: Parameters<FreshExecutor['as']>[0]) =>
    (await hub.as(actor, 'projects_QueryProjects', {})).projects.map(({ projectId }) => projectId);

  test('is granted to members by session and token, and to administrators by session only', async () => {
    for (const actor of [project.owner, member, await byToken(hub, member), administrator, system])
      expect(await listOf(actor)).toContain(project.projectId);
    for (const actor of [stranger, await byToken(hub, stranger), await byToken(hub, administrator)])
      expect(await listOf(actor)).not.toContain(project.projectId);
  });
});

test('the details count what belongs to the project', async () => {
  const [first] = [await seedDevice(hub, project), await seedDevice(hub, project)];
  const { deviceId } = first;
  await hub.run(RegisterDeviceConnection, { deviceId, nodeId: await seedNode(hub) });
  const fingerprint = Array.from({ length: 32 }, () => 'ab').join(':');
  await hub.as(member, 'devices_AddDeviceCertificate', { deviceId, fingerprint });
  expect(await hub.as(member, 'projects_GetProjectDetails', { projectId: project.projectId })).toEqual({
    projectId: project.projectId,
    name: 'Plant',
    deviceCount: 2,
    maxDeviceCount: 200_000,
    connectedDeviceCount: 1,
    pendingCertificateCount: 1,
    memberCount: 2,
    deploymentTokenCount: 2,
    repositoryCount: 0,
    openOperationCount: 0,
    isOwner: false,
  });
});

test('the list of devices shows presence, pending certificates and the newest first', async () => {
  const older = await seedDevice(hub, project);
  hub.advance(1);
  const newer = await seedDevice(hub, project);
  const { deviceId } = older;
  const nodeId = await seedNode(hub);
  await hub.run(RegisterDeviceConnection, { deviceId, nodeId });
  await hub.as(member, 'devices_SetDeviceName', { deviceId, name: ' Press ' });
  const listed = () => hub.as(member, 'projects_QueryProjectDevices', { projectId: project.projectId });
  expect((await listed()).devices).toEqual([
    {
      deviceId: newer.deviceId,
      firstSeen: expect.any(String),
      status: 'offline',
      isConnected: false,
      pendingCertificatesCount: 0,
    },
    {
      deviceId,
      name: 'Press',
      firstSeen: expect.any(String),
      status: 'healthy',
      isConnected: true,
      pendingCertificatesCount: 0,
      lastConnectedAt: expect.any(String),
      lastSeenAt: hub.now().toISOString(),
      currentConnectionDurationSecs: 0,
    },
  ]);
  hub.advance(15);
  expect((await listed()).devices.map(({ isConnected }) => isConnected)).toEqual([false, false]);
});

describe('deleting a project', () => {
  test('deletes everything that belongs to it', async () => {
    const { projectId } = project;
    const { deviceId, shown } = await seedDevice(hub, project);
    hub.emittedEvents.length = 0;
    await hub.as(project.owner, 'projects_DeleteProject', { projectId });
    expect(emitted()).toEqual([{ name: 'projects_Deleted', data: { projectId, name: 'Plant' } }]);
    expect((await hub.refusal(administrator, 'devices_GetDeviceDetails', { deviceId })).kind).toBe('Invalid');
    expect((await hub.refused(AuthenticateDevice, shown)).kind).toBe('NotSignedIn');
    expect((await hub.refusal(project.owner, 'projects_DeleteProject', { projectId })).message).toBe(
      'Project not found.',
    );
  });
});

describe('members', () => {
  const add = (userId: Somebody['userId'], isOwner = false) =>
    hub.as(system, 'projects_AddProjectMember', { projectId: project.projectId, userId, isOwner });
  const remove = (actor: Somebody, userId: Somebody['userId']) =>
    hub.as(actor, 'projects_RemoveProjectMember', { projectId: project.projectId, userId });
  const removal = (actor: Somebody, userId: Somebody['userId']) =>
    hub.refusal(actor, 'projects_RemoveProjectMember', { projectId: project.projectId, userId });

  test('are listed with owners first', async () => {
    const { users } = await hub.as(member, 'projects_QueryProjectMembers', { projectId: project.projectId });
    expect(users.map(({ userId, isOwner }) => ({ userId, isOwner }))).toEqual([
      { userId: project.owner.userId, isOwner: true },
      { userId: member.userId, isOwner: false },
    ]);
  });

  test('are added by administrators, once; owners have to invite', async () => {
    const input = { projectId: project.projectId, userId: stranger.userId };
    expect(await hub.refusal(project.owner, 'projects_AddProjectMember', input)).toEqual({
      kind: 'Forbidden',
      message: 'Only administrators may add members by their id. Invite them by their e-mail address.',
    });
    expect((await hub.refusal(stranger, 'projects_AddProjectMember', input)).message).toBe(
      'Project not found.',
    );
    await hub.as(administrator, 'projects_AddProjectMember', input);
    const { projectId } = project;
    const data = { projectId, userId: stranger.userId, isOwner: false };
    expect(emitted()).toEqual([{ name: 'projects_MemberAdded', data }]);
    const again = { projectId, userId: stranger.userId };
    expect((await hub.refusal(administrator, 'projects_AddProjectMember', again)).message).toContain(
      'already',
    );
    const absent = { projectId, userId: absentId('user') };
    expect((await hub.refusal(administrator, 'projects_AddProjectMember', absent)).message).toBe(
      'User not found.',
    );
    expect((await hub.refusal(member, 'projects_AddProjectMember', again)).kind).toBe('Forbidden');
  });

  test('are removed by owners, and may leave', async () => {
    expect((await removal(member, project.owner.userId)).kind).toBe('Forbidden');
    await remove(member, member.userId);
    expect((await removal(member, member.userId)).message).toBe('Project not found.');
    await add(member.userId);
    await remove(project.owner, member.userId);
    expect(emitted().at(-1)).toEqual({
      name: 'projects_MemberRemoved',
      data: { projectId: project.projectId, userId: member.userId },
    });
    expect((await removal(project.owner, stranger.userId)).message).toBe('Member not found.');
  });

  test('keep one owner, even when all leave concurrently', async () => {
    expect((await removal(project.owner, project.owner.userId)).message).toContain('last owner');
    expect((await removal(administrator, project.owner.userId)).message).toContain('last owner');
    const second = await seedMember(hub, project, true);
    const { db } = hub.database;
    let refused: ReturnType<typeof removal> | undefined;
    await db.transaction().execute(async (tx) => {
      await tx
        .deleteFrom('project_members')
        .where('user_id', '=', ids.user.raw(project.owner.userId))
        .execute();
      refused = removal(second, second.userId);
      await expect.poll(() => waitingLocks(db)).toBe(1);
    });
    expect((await refused)?.message).toContain('last owner');
  });
});

describe('deployment tokens', () => {
  const create = (name: string) =>
    hub.as(member, 'projects_CreateDeploymentToken', { projectId: project.projectId, name });

  test('are created by members, shown once and listed without their secret', async () => {
    const { token, tokenId } = await create('  line 1 ');
    expect(emitted()).toEqual([
      {
        name: 'projects_DeploymentTokenCreated',
        data: { projectId: project.projectId, tokenId, flags: { autoAccept: false } },
      },
    ]);
    const { tokens } = await hub.as(member, 'projects_QueryProjectDeploymentTokens', {
      projectId: project.projectId,
    });
    expect(tokens).toEqual([
      {
        tokenId,
        name: 'line 1',
        createdAt: expect.any(String),
        enrolledDevices: 0,
        flags: { autoAccept: false },
      },
    ]);
    expect(JSON.stringify(tokens)).not.toContain(token.slice(-44));
  });

  test('require a name', async () => {
    for (const name of ['', ' \t'])
      expect(
        await hub.refusal(member, 'projects_CreateDeploymentToken', { projectId: project.projectId, name }),
      ).toEqual({ kind: 'Invalid', message: 'Name must not be empty.' });
  });

  test('are at most 1,000 of a project', async () => {
    const projectId = ids.project.raw(project.projectId);
    await sql`
      insert into deployment_tokens (token_id, secret_hash, project_id, name, auto_accept, created_at)
      select 'many ' || n, '', ${projectId}, 'many', false, now() from generate_series(1, 999) as n`.execute(
      hub.database.db,
    );
    await create('the last one');
    const input = { projectId: project.projectId, name: 'one more' };
    expect(await hub.refusal(member, 'projects_CreateDeploymentToken', input)).toEqual({
      kind: 'Invalid',
      message: 'A project may have at most 1,000 deployment tokens. Delete some first.',
    });
  });

  test('show their last use', async () => {
    const { tokenId } = await seedDevice(hub, project);
    const { tokens } = await hub.as(member, 'projects_QueryProjectDeploymentTokens', {
      projectId: project.projectId,
    });
    expect(tokens[0]).toMatchObject({ tokenId, enrolledDevices: 1, lastUsedAt: expect.any(String) });
  });

  test('count the devices that they enrolled up to 1,000, and one more for all others, and read no more', async () => {
    await using alone = await freshExecutor();
    const { db } = alone.database;
    const own = await seedProject(alone);
    const tokenOf = async (devices: number) => {
      const { tokenId } = await seedToken(alone, own);
      const enrolledBy = ids.deploymentTokenId.raw(tokenId);
      alone.advance(1);
      await sql`
        insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, created_at)
        select ${`of-${devices}-`} || n, ${ids.project.raw(own.projectId)}, ${`of-${devices}-`} || n, '', ${enrolledBy}, now()
        from generate_series(1, ${devices}::int) n`.execute(db);
    };
    const countsOf = async () => {
      const input = { projectId: own.projectId };
      const { tokens } = await alone.as(own.owner, 'projects_QueryProjectDeploymentTokens', input);
      return tokens.map(({ enrolledDevices }) => enrolledDevices);
    };
    const none = Array.from({ length: 20 }, () => 0);
    for (const devices of [...none, 20_000]) await tokenOf(devices);
    await sql`analyze`.execute(db);
    using statements = recordStatements();
    expect(await countsOf()).toEqual([1_001, ...none]);
    const [statement] = statements.containing('from deployment_tokens t where');
    expect(await mostRowsOf(db, statement!)).toBeLessThan(1_100);
    for (const devices of [999, 1_000]) await tokenOf(devices);
    expect(await countsOf()).toEqual([1_000, 999, 1_001, ...none]);
  });

  test('change their flags and are deleted, each with an event', async () => {
    const { tokenId } = await create('line 1');
    hub.emittedEvents.length = 0;
    await hub.as(member, 'projects_SetDeploymentTokenFlags', { tokenId, flags: { autoAccept: true } });
    await hub.as(member, 'projects_DeleteDeploymentToken', { tokenId });
    const { projectId } = project;
    expect(emitted()).toEqual([
      {
        name: 'projects_DeploymentTokenFlagsChanged',
        data: { projectId, tokenId, flags: { autoAccept: true } },
      },
      { name: 'projects_DeploymentTokenDeleted', data: { projectId, tokenId, name: 'line 1' } },
    ]);
    expect((await hub.refusal(member, 'projects_DeleteDeploymentToken', { tokenId })).message).toBe(
      'Deployment token not found.',
    );
  });

  test('that are deleted admit no device, and their devices stay', async () => {
    const { tokenId, deviceId, shown } = await seedDevice(hub, project);
    await hub.as(member, 'projects_DeleteDeploymentToken', { tokenId });
    expect((await hub.refused(AuthenticateDevice, shown)).kind).toBe('NotSignedIn');
    await hub.as(userActor(member.userId), 'devices_GetDeviceDetails', { deviceId });
  });
});
