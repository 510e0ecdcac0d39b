import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { projectScene } from '../../../../test/device-scene.ts';
import { absentId, system } from '../../../../test/fresh-executor.ts';
import { seedRepository } from '../../../../test/seed-repository.ts';
import { byToken, seedProject, waitingLocks, type Somebody } from '../../../../test/seed.ts';

const { hub, project, member, stranger } = projectScene();

const emitted = () => hub.emittedEvents.map(({ name, data }) => ({ name, data }));

test('linked repositories learn that the project was deleted, each in its log and live', async () => {
  const { projectId, owner } = project;
  const linked = [await seedRepository(hub, { owner }), await seedRepository(hub, { owner })];
  for (const { repositoryId } of linked)
    await hub.as(owner, 'projects_AddProjectRepository', { projectId, repositoryId });
  hub.emittedEvents.length = 0;
  await hub.as(owner, 'projects_DeleteProject', { projectId });
  const unlinked = linked.map(({ repositoryId }) => ({
    name: 'projects_RepositoryRemoved',
    data: { projectId, repositoryId, name: 'Plant' },
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
    data: { projectId, repositoryId, name: 'Plant' },
  });
});

test('linked repositories are private ones only where an owner of them links them, and any owner of them may end the link', async () => {
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

test('linked repositories are all that the owner of a repository sees of other projects: no link, no project', async () => {
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

test('linked repositories end with the repository, which the log of each project says', async () => {
  const { repositoryId, owner, name } = await seedRepository(hub);
  const other = await seedProject(hub);
  const linked = [project.projectId, other.projectId];
  for (const projectId of linked)
    await hub.as(system, 'projects_AddProjectRepository', { projectId, repositoryId });
  hub.advance(1);
  hub.emittedEvents.length = 0;
  await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
  const unlinked = linked.map((projectId) => ({
    name: 'projects_RepositoryRemoved',
    data: { projectId, repositoryId, name },
  }));
  expect(emitted().slice(0, 2)).toEqual(expect.arrayContaining(unlinked));
  expect(emitted().slice(2)).toMatchObject([{ name: 'repositories_Deleted', data: { repositoryId } }]);
  const { events } = await hub.as(other.owner, 'projects_QueryAuditLog', { projectId: other.projectId });
  expect(events[0]).toMatchObject({ event: 'projects_RepositoryRemoved', actor: owner });
});

test('linked repositories end in the log of each of 2,500 projects, more than a statement writes', async () => {
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

test('linked repositories are at most 1,000, also when the last two are linked at once', async () => {
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

test('linked repositories that become private stay linked only where an owner of them made or confirmed the link', async () => {
  const { repositoryId, owner } = await seedRepository(hub, { visibility: 'Public' });
  const [theirs, confirmed] = [await seedProject(hub), await seedProject(hub)];
  const ours = await hub.as(owner, 'projects_CreateProject', { name: 'Ours' });
  const link = (by: Somebody, { projectId }: { projectId: Id<'project'> }) =>
    hub.as(by, 'projects_AddProjectRepository', { projectId, repositoryId });
  await link(theirs.owner, theirs);
  await link(confirmed.owner, confirmed);
  await link(owner, ours);
  // The owner is no member of that project.
  await link(owner, confirmed);
  // Whoever links it again does not take that back.
  await link(confirmed.owner, confirmed);
  const { projects } = await hub.as(owner, 'repositories_QueryRepositoryProjects', { repositoryId });
  expect(projects.filter(({ isConfirmed }) => !isConfirmed)).toMatchObject([{ projectId: theirs.projectId }]);
  hub.emittedEvents.length = 0;
  await hub.as(owner, 'repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Private' });
  expect(emitted()).toEqual([
    { name: 'projects_RepositoryRemoved', data: { projectId: theirs.projectId, repositoryId } },
    { name: 'repositories_VisibilityChanged', data: { repositoryId, visibility: 'Private' } },
  ]);
  const read = (by: Somebody) => hub.as(by, 'repositories_GetRepositoryDetails', { repositoryId });
  await expect(read(theirs.owner)).rejects.toThrow('Repository not found.');
  for (const by of [confirmed.owner, owner]) await expect(read(by)).resolves.toMatchObject({ repositoryId });
  await hub.as(owner, 'repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' });
  await hub.as(owner, 'repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Private' });
  await expect(read(confirmed.owner)).resolves.toMatchObject({ repositoryId });
});

test('linked repositories are not linked by a stranger while they become private', async () => {
  for (let round = 0; round < 30; round += 1) {
    const { repositoryId, owner } = await seedRepository(hub, { visibility: 'Public' });
    const { projectId } = project;
    const [linked] = await Promise.allSettled([
      hub.as(member, 'projects_AddProjectRepository', { projectId, repositoryId }),
      hub.as(owner, 'repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Private' }),
    ]);
    if (linked.status === 'rejected')
      expect(linked.reason).toMatchObject({ message: 'Repository not found.' });
    const { projects } = await hub.as(owner, 'repositories_QueryRepositoryProjects', { repositoryId });
    expect(projects).toEqual([]);
  }
});
