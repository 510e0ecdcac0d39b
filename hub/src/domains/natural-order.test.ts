import { ids, type CallInput } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedPackage, seedRepository } from '../../test/seed-repository.ts';
import { seedDevice, seedProject } from '../../test/seed.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const inOrder = ['Émile 1', 'emile 2', 'Pump 2', 'pump 10', 'PÜMP 11', 'Pump 100', 'Zeta'];
const shuffled = inOrder.toSorted();
const decomposed = (name: string) => name.normalize('NFD');

/** All names of a list, read row by row. */
async function paged(
  read: (page: { limit: number; after?: string }) => Promise<[string[], string | undefined]>,
) {
  const names: string[] = [];
  for (let after: string | undefined; names.length <= 100;) {
    const [found, next] = await read({ limit: 1, ...(after === undefined ? {} : { after }) });
    names.push(...found);
    after = next;
    if (after === undefined) break;
  }
  return names;
}

test('devices are in natural order without accents, in both directions, and found without accents', async () => {
  const project = await seedProject(hub);
  const { owner, projectId } = project;
  for (const name of shuffled) {
    const { deviceId } = await seedDevice(hub, project);
    await hub.as(owner, 'devices_SetDeviceName', { deviceId, name: decomposed(name) });
  }
  const names = (more: Partial<CallInput<'projects_QueryProjectDevices'>>) =>
    paged(async (page) => {
      const { devices, next } = await hub.as(owner, 'projects_QueryProjectDevices', {
        projectId,
        ...page,
        ...more,
      });
      return [devices.map(({ name = '' }) => name), next];
    });
  expect(await names({ order: 'name' })).toEqual(inOrder);
  expect(await names({ order: '-name' })).toEqual(inOrder.toReversed());
  for (const filter of ['pump', decomposed('pümp'), 'PÙMP'])
    expect(await names({ order: 'name', filter }), filter).toEqual(inOrder.slice(2, 6));
  expect(await names({ filter: `name="${decomposed('PÜMP 11')}"` })).toEqual(['PÜMP 11']);
});

test('projects, repositories and people are in natural order', async () => {
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  for (const name of shuffled) {
    await hub.as(admin, 'projects_CreateProject', { name: decomposed(name) });
    await hub.as(admin, 'repositories_CreateRepository', { name: decomposed(name) });
    await hub.as(admin, 'users_CreateUser', {
      email: `${Buffer.from(name).toString('hex')}@example.com`,
      displayName: decomposed(name),
    });
  }
  const { userId } = admin;
  const projects = await paged(async (page) => {
    const answer = await hub.as(admin, 'users_QueryUserProjects', { userId, ...page });
    return [answer.projects.map(({ name }) => name), answer.next];
  });
  expect(projects.filter((name) => inOrder.includes(name))).toEqual(inOrder);
  const repositories = await paged(async (page) => {
    const answer = await hub.as(admin, 'users_QueryUserRepositories', { userId, ...page });
    return [answer.repositories.map(({ name }) => name), answer.next];
  });
  expect(repositories.filter((name) => inOrder.includes(name))).toEqual(inOrder);
  const users = await paged(async (page) => {
    const answer = await hub.as(admin, 'users_QueryUsers', { order: 'name', ...page });
    return [answer.users.map(({ displayName = '' }) => displayName), answer.next];
  });
  expect(users.filter((name) => inOrder.includes(name))).toEqual(inOrder);
});

test('versions are in the precedence of SemVer, and packages by their newest ones as well', async () => {
  const repository = await seedRepository(hub);
  const { owner, repositoryId } = repository;
  const versions = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-rc.2',
    'v1.0.0-rc.11',
    '1.0.0',
    '1.2',
    '1.10.0',
    'nightly 2',
    'nightly 10',
  ];
  const packageId = await seedPackage(hub, repository, 'all');
  for (const [at, name] of versions.toSorted().entries()) {
    await hub.as(owner, 'repositories_CreatePackageVersion', { packageId, name });
    const own = await seedPackage(hub, repository, `own-${at}`);
    await hub.as(owner, 'repositories_CreatePackageVersion', { packageId: own, name });
  }
  const names = await paged(async (page) => {
    const answer = await hub.as(owner, 'repositories_QueryPackageVersions', {
      packageId,
      order: 'name',
      ...page,
    });
    return [answer.versions.map(({ name = '' }) => name), answer.next];
  });
  expect(names).toEqual(versions);
  await hub.as(owner, 'repositories_DeletePackage', { packageId });
  const newest = await paged(async (page) => {
    const answer = await hub.as(owner, 'repositories_QueryRepositoryPackages', {
      repositoryId,
      order: 'newest',
      ...page,
    });
    return [answer.packages.map(({ newestVersion }) => newestVersion?.name ?? ''), answer.next];
  });
  expect(newest).toEqual(versions);
});

test('a name is one in each form of Unicode: of two repositories there is one, and paths lead to it', async () => {
  const user = await hub.user('names@example.com');
  const created = await hub.as(user, 'repositories_CreateRepository', { name: decomposed('Dépôt') });
  if (created.result !== 'Created') throw new Error(created.result);
  for (const name of ['Dépôt', decomposed('Dépôt')]) {
    expect(await hub.as(user, 'repositories_CreateRepository', { name })).toEqual({
      result: 'NameAlreadyExists',
    });
    expect(await hub.as(user, 'repositories_ResolveRepositoryName', { repository: name })).toMatchObject({
      repositoryId: created.repositoryId,
    });
  }
  const { repositories } = await hub.as(user, 'users_QueryUserRepositories', { userId: user.userId });
  expect(repositories.map(({ name }) => name)).toEqual(['Dépôt']);
});

test.each(['\u200b', '\u3164\u2800', '\u202e \u2066', '\u00ad\ufe0f'])(
  'a name of %j alone is refused',
  async (name) => {
    const repository = await seedRepository(hub);
    const { owner } = repository;
    const packageId = await seedPackage(hub, repository, 'p');
    const project = await seedProject(hub);
    const { deviceId } = await seedDevice(hub, project);
    const visible = expect.objectContaining({ kind: 'Invalid', message: expect.stringMatching(/visible/) });
    expect(await hub.refusal(owner, 'projects_CreateProject', { name })).toEqual(visible);
    expect(await hub.refusal(owner, 'repositories_CreateRepository', { name })).toEqual(visible);
    expect(await hub.refusal(owner, 'repositories_CreatePackageVersion', { packageId, name })).toEqual(
      visible,
    );
    expect(await hub.refusal(owner, 'repositories_SetPackageKind', { packageId, kind: name })).toEqual(
      visible,
    );
    expect(await hub.refusal(project.owner, 'devices_SetDeviceName', { deviceId, name })).toEqual(visible);
    expect(
      await hub.refusal(project.owner, 'projects_SaveView', { projectId: project.projectId, name }),
    ).toEqual(visible);
    const family = `👩‍🌾 ${ids.device.tag}`;
    await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name: family });
    expect((await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId })).name).toBe(family);
  },
);
