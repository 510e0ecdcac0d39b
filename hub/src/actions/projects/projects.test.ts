import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { projectScene } from '../../../test/device-scene.ts';
import { freshExecutor, system, userActor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { absentId } from '../../../test/fresh-executor.ts';
import { mostRowsOf } from '../../../test/plan-rows.ts';
import { recordStatements } from '../../../test/recorded-statements.ts';
import { seedRepository } from '../../../test/seed-repository.ts';
import {
  byToken,
  seedDevice,
  seedMember,
  seedNode,
  seedProject,
  seedToken,
  waitingLocks,
  type Somebody,
} from '../../../test/seed.ts';

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

  test("is limited to the member's own projects", async () => {
    await seedProject(hub);
    expect(await listOf(await byToken(hub, member))).toEqual([project.projectId]);
  });

  test('is denied to devices', async () => {
    const { actor } = await seedDevice(hub, project);
    expect((await hub.refusal(actor, 'projects_QueryProjects', {})).kind).toBe('Forbidden');
  });
});

test('the details count what belongs to the project', async () => {
  const [first] = [await seedDevice(hub, project), await seedDevice(hub, project)];
  const { deviceId } = first;
  await hub.as(system, 'devices_RegisterDeviceConnection', { deviceId, nodeId: await seedNode(hub) });
  const fingerprint = Array.from({ length: 32 }, () => 'ab').join(':');
  await hub.as(member, 'devices_AddDeviceCertificate', { deviceId, fingerprint });
  expect(await hub.as(member, 'projects_GetProjectDetails', { projectId: project.projectId })).toEqual({
    projectId: project.projectId,
    name: 'Plant',
    deviceCount: 2,
    connectedDeviceCount: 1,
    pendingCertificateCount: 1,
    memberCount: 2,
    deploymentTokenCount: 2,
    repositoryCount: 0,
    isOwner: false,
  });
});

test('the list of devices shows presence, pending certificates and the newest first', async () => {
  const older = await seedDevice(hub, project);
  hub.advance(1);
  const newer = await seedDevice(hub, project);
  const { deviceId } = older;
  const nodeId = await seedNode(hub);
  await hub.as(system, 'devices_RegisterDeviceConnection', { deviceId, nodeId });
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
  test('is allowed to owners, and to administrators with a session', async () => {
    const { projectId } = project;
    for (const actor of [member, await byToken(hub, member)])
      expect((await hub.refusal(actor, 'projects_DeleteProject', { projectId })).kind).toBe('Forbidden');
    await hub.as(administrator, 'projects_DeleteProject', { projectId });
  });

  test('deletes everything that belongs to it', async () => {
    const { projectId } = project;
    const { deviceId, shown } = await seedDevice(hub, project);
    hub.emittedEvents.length = 0;
    await hub.as(project.owner, 'projects_DeleteProject', { projectId });
    expect(emitted()).toEqual([{ name: 'projects_Deleted', data: { projectId, name: 'Plant' } }]);
    expect((await hub.refusal(administrator, 'devices_GetDeviceDetails', { deviceId })).kind).toBe('Invalid');
    expect((await hub.refusal(system, 'devices_AuthenticateDevice', shown)).kind).toBe('NotSignedIn');
    expect((await hub.refusal(project.owner, 'projects_DeleteProject', { projectId })).message).toBe(
      'Project not found.',
    );
  });
});

describe('linked repositories', () => {
  test('learn that the project was deleted, each in its log and live', async () => {
    const { projectId, owner } = project;
    const linked = [await seedRepository(hub, { owner }), await seedRepository(hub, { owner })];
    for (const { repositoryId } of linked)
      await hub.as(owner, 'projects_AddProjectRepository', { projectId, repositoryId });
    hub.emittedEvents.length = 0;
    await hub.as(owner, 'projects_DeleteProject', { projectId });
    const unlinked = linked.map(({ repositoryId }) => ({
      name: 'projects_RepositoryRemoved',
      data: { projectId, repositoryId },
    }));
    expect(emitted()).toEqual([
      ...unlinked.map(() => expect.objectContaining({ name: 'projects_RepositoryRemoved' })),
      { name: 'projects_Deleted', data: { projectId, name: 'Plant' } },
    ]);
    expect(emitted()).toEqual(expect.arrayContaining(unlinked));
    const { repositoryId } = linked[0]!;
    const { events } = await hub.as(owner, 'repositories_QueryAuditLogEvents', { repositoryId });
    const logged = events.map(({ event, data }) => ({ event, data }));
    expect(logged).toContainEqual({
      event: 'projects_RepositoryRemoved',
      data: { projectId, repositoryId },
    });
  });

  test('are private ones only where an owner of them links them, and any owner of them may end the link', async () => {
    const { repositoryId, owner } = await seedRepository(hub);
    const { projectId } = project;
    const membership = { repositoryId, userId: member.userId };
    const link = { projectId, repositoryId };
    await hub.as(system, 'repositories_AddRepositoryMember', { ...membership, isOwner: false });
    expect(await hub.refusal(member, 'projects_AddProjectRepository', link)).toEqual({
      kind: 'Forbidden',
      message: 'Only an owner of a private repository may link it to a project.',
    });
    await hub.as(system, 'repositories_SetRepositoryMemberRole', { ...membership, isOwner: true });
    await hub.as(member, 'projects_AddProjectRepository', link);
    await hub.as(owner, 'repositories_RemoveRepositoryMember', membership);
    const read = () => hub.as(member, 'repositories_GetRepositoryDetails', { repositoryId });
    await expect(read()).resolves.toMatchObject({ isOwner: false });
    hub.emittedEvents.length = 0;
    await hub.as(owner, 'projects_RemoveProjectRepository', link);
    expect(emitted()).toEqual([{ name: 'projects_RepositoryRemoved', data: link }]);
    await expect(read()).rejects.toThrow('Repository not found.');
  });

  test('are all that the owner of a repository sees of other projects: no link, no project', async () => {
    const { repositoryId, owner } = await seedRepository(hub);
    const { projectId } = project;
    const link = { projectId, repositoryId };
    await hub.as(system, 'projects_AddProjectRepository', link);
    const colleague = { repositoryId, userId: stranger.userId, isOwner: false };
    await hub.as(system, 'repositories_AddRepositoryMember', colleague);
    const unlink = (actor: Somebody, input = link) =>
      hub.refusal(actor, 'projects_RemoveProjectRepository', input);
    const absent = { kind: 'Invalid', message: 'Project not found.' };
    expect(await unlink(stranger)).toEqual(absent);
    expect(await unlink((await seedRepository(hub)).owner)).toEqual(absent);
    expect(await unlink(owner, { projectId: absentId('project'), repositoryId })).toEqual(absent);
    await hub.as(await byToken(hub, owner), 'projects_RemoveProjectRepository', link);
    expect(await unlink(owner)).toEqual(absent);
  });

  test('end with the repository, which the log of each project says', async () => {
    const { repositoryId, owner } = await seedRepository(hub);
    const other = await seedProject(hub);
    const linked = [project.projectId, other.projectId];
    for (const projectId of linked)
      await hub.as(system, 'projects_AddProjectRepository', { projectId, repositoryId });
    hub.advance(1);
    hub.emittedEvents.length = 0;
    await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
    const unlinked = linked.map((projectId) => ({
      name: 'projects_RepositoryRemoved',
      data: { projectId, repositoryId },
    }));
    expect(emitted().slice(0, 2)).toEqual(expect.arrayContaining(unlinked));
    expect(emitted().slice(2)).toMatchObject([{ name: 'repositories_Deleted', data: { repositoryId } }]);
    const { events } = await hub.as(other.owner, 'projects_QueryAuditLog', { projectId: other.projectId });
    expect(events[0]).toMatchObject({ event: 'projects_RepositoryRemoved', actor: owner });
  });

  test('end in the log of each of 2,500 projects, more than a statement writes', async () => {
    const { repositoryId, owner } = await seedRepository(hub);
    const { db } = hub.database;
    await sql`insert into projects (project_id, name, created_at)
      select 'many' || n, 'many' || n, now() from generate_series(1, 2500) n`.execute(db);
    await sql`insert into project_repositories (project_id, repository_id, linked_at)
      select 'many' || n, ${ids.repository.raw(repositoryId)}, now() from generate_series(1, 2500) n`.execute(
      db,
    );
    await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
    const { rows } = await sql<{ projects: number; outcomes: string[] }>`
      select count(distinct entity_id)::int as projects, array_agg(distinct a.status) as outcomes
      from audit_event_entities join audit_events e using (event_id) join audit_actions a using (action_id)
      where entity_kind = 'project' and entity_id like 'many%' and e.event = 'projects_RepositoryRemoved'`.execute(
      db,
    );
    expect(rows).toEqual([{ projects: 2500, outcomes: ['Succeeded'] }]);
  });

  test('are at most 1,000, also when the last two are linked at once', async () => {
    const { projectId, owner } = project;
    const last = [await seedRepository(hub, { owner }), await seedRepository(hub, { owner })];
    const { db } = hub.database;
    await sql`insert into repositories (repository_id, name, visibility, created_at)
      select 'full' || n, 'full' || n, 'Private', now() from generate_series(1, 999) n`.execute(db);
    await sql`insert into project_repositories (project_id, repository_id, linked_at)
      select ${ids.project.raw(projectId)}, 'full' || n, now() from generate_series(1, 999) n`.execute(db);
    const link = (repositoryId: Id<'repository'>) =>
      hub.as(owner, 'projects_AddProjectRepository', { projectId, repositoryId });
    // An insert waits for the row of its repository: both have counted by then, unless they do so one after the other.
    const outcomes = await db.transaction().execute(async (tx) => {
      await sql`select 1 from repositories where repository_id not like 'full%' for update`.execute(tx);
      const linking = last.map(({ repositoryId }) => link(repositoryId));
      const ended = Promise.allSettled(linking);
      await expect.poll(() => waitingLocks(db)).toBe(2);
      return { ended };
    });
    const [one, other] = (await outcomes.ended).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(one?.status).toBe('fulfilled');
    expect(other).toMatchObject({
      reason: { kind: 'Invalid', message: 'A project may be linked to at most 1000 repositories.' },
    });
    // One of the two is linked, and may be linked again.
    const again = await Promise.allSettled(last.map(({ repositoryId }) => link(repositoryId)));
    expect(again.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
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
      { name: 'projects_DeploymentTokenDeleted', data: { projectId, tokenId } },
    ]);
    expect((await hub.refusal(member, 'projects_DeleteDeploymentToken', { tokenId })).message).toBe(
      'Deployment token not found.',
    );
  });

  test('that are deleted admit no device, and their devices stay', async () => {
    const { tokenId, deviceId, shown } = await seedDevice(hub, project);
    await hub.as(member, 'projects_DeleteDeploymentToken', { tokenId });
    expect((await hub.refusal(system, 'devices_AuthenticateDevice', shown)).kind).toBe('NotSignedIn');
    await hub.as(userActor(member.userId), 'devices_GetDeviceDetails', { deviceId });
  });
});
