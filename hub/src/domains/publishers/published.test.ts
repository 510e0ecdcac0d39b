import { ids, type Actor } from '@corral/contract';
import { expect, test } from 'vitest';
import { ids123, publishingScene, type PublishingScene } from '../../../test/publishing-scene.ts';
import { seedPackage, seedRepository, seedVersion } from '../../../test/seed-repository.ts';
import { seedProject } from '../../../test/seed.ts';
import { AuthenticateWithUserToken } from '../users/internal/AuthenticateWithUserToken.ts';

type Job = Extract<Actor, { actor: 'UserToken' }>;

/** The actor that a job becomes. */
async function jobOf({ hub, exchange }: PublishingScene): Promise<Job & { token: `u_sk_${string}` }> {
  const { token } = await exchange();
  const answer = await hub.run(AuthenticateWithUserToken, { token });
  if (answer.result === 'Invalid') throw new Error('The token is not valid.');
  return { ...answer.actor, token };
}

async function scene() {
  const found = await publishingScene();
  await found.add();
  const { hub, owner, repositoryId } = found;
  const packageId = await seedPackage(hub, { repositoryId, name: 'firmware', owner }, 'press');
  const existing = await seedVersion(hub, owner, packageId, 'stable');
  return { ...found, packageId, existing, job: await jobOf(found) };
}

const digest = `sha256_${'7'.repeat(64)}` as const;

test('a job makes a version with files and tags, and reads the repository', async () => {
  const { hub, job, packageId, repositoryId } = await scene();
  const asset = await hub.as(job, 'repositories_CreateAsset', { repositoryId, digest, size: 1 });
  const { versionId } = await hub.as(job, 'repositories_CreatePackageVersion', {
    packageId,
    name: '1.4.0',
    tags: [{ tag: '1.4.0', locked: true }],
  });
  const { assetId } = asset as { assetId: `repo_a_${string}` };
  await hub.as(job, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename: 'press.img' });
  await hub.as(job, 'repositories_IssueAssetUploadUrl', { assetId });
  await hub.as(job, 'repositories_SetVersionMetadata', { versionId, metadata: { commit: '4f2a' } });
  await hub.as(job, 'repositories_TagPackageVersion', { versionId, tags: [{ tag: 'stable' }] });
  await hub.as(job, 'repositories_CreatePackage', { repositoryId, name: 'another' });
  const read = await hub.as(job, 'repositories_GetPackageVersionDetails', { versionId });
  expect(read).toMatchObject({ name: '1.4.0', assets: [{ filename: 'press.img' }] });
  expect(read.tags.map(({ tag }) => tag)).toEqual(['1.4.0', 'stable']);
});

test('a job neither overwrites nor deletes what it has not made itself, also not by its next token', async () => {
  const found = await scene();
  const { hub, job, packageId, existing, repositoryId, owner } = found;
  const asset = await hub.as(job, 'repositories_CreateAsset', { repositoryId, digest, size: 1 });
  const { assetId } = asset as { assetId: `repo_a_${string}` };
  const { versionId: earlier } = await hub.as(job, 'repositories_CreatePackageVersion', {
    packageId,
    tags: [],
  });
  const next = await jobOf(found);
  const isOfOther = 'A job of a CI may change only the versions that it made itself.';
  for (const [by, versionId] of [
    [job, existing],
    [next, earlier],
  ] as const) {
    const refusal = (name: Parameters<typeof hub.refusal>[1], more: object) =>
      hub.refusal(by, name, { versionId, ...more });
    const file = { assetId, filename: 'press.img' };
    expect((await refusal('repositories_AddPackageVersionAsset', file)).message).toBe(isOfOther);
    expect((await refusal('repositories_SetVersionMetadata', { metadata: {} })).message).toBe(isOfOther);
    expect((await refusal('repositories_DeletePackageVersion', {})).kind).toBe('Forbidden');
    expect((await refusal('repositories_SetVersionName', { name: '2' })).kind).toBe('Forbidden');
    for (const locked of [false, true])
      expect(await refusal('repositories_TagPackageVersion', { tags: [{ tag: 'stable', locked }] })).toEqual({
        kind: 'Forbidden',
        message: isOfOther,
      });
    const removal = { filename: 'press.img' };
    expect((await refusal('repositories_RemovePackageVersionAsset', removal)).kind).toBe('Forbidden');
  }
  const fixed = [{ tag: 'fixed', locked: true }];
  await hub.as(owner, 'repositories_TagPackageVersion', { versionId: existing, tags: fixed });
  const { versionId: own } = await hub.as(next, 'repositories_CreatePackageVersion', { packageId, tags: [] });
  const moved = { versionId: own, tags: [{ tag: 'fixed' }] };
  expect(await hub.refusal(next, 'repositories_TagPackageVersion', moved)).toMatchObject({
    kind: 'Invalid',
    message: expect.stringMatching(/^The tag fixed is locked: it stays on the version /),
  });
});

test('a job reaches nothing else: no tokens, members, settings, publishers, other repositories or projects', async () => {
  const { hub, job, repositoryId, packageId, owner, add } = await scene();
  const other = await seedRepository(hub, { owner, name: 'other' });
  const otherPackage = await seedPackage(hub, other);
  const { projectId } = await seedProject(hub);
  const publisherId = await add({ name: 'another' });
  const { userId } = job;
  const forbidden: [Parameters<typeof hub.refusal>[1], object][] = [
    ['users_CreateUserToken', { userId }],
    ['users_QueryUserTokens', { userId }],
    ['users_SetUserDisplayName', { userId, displayName: 'x' }],
    ['users_DeleteServiceAccount', { userId }],
    ['projects_CreateProject', { name: 'x' }],
    ['repositories_CreateRepository', { name: 'x' }],
    ['repositories_AddRepositoryMember', { repositoryId, userId: owner.userId }],
    ['repositories_InviteRepositoryMember', { repositoryId, email: 'eve@example.com' }],
    ['repositories_CreateRepositoryServiceAccount', { repositoryId, name: 'x' }],
    ['repositories_SetDisplayName', { repositoryId, displayName: 'x' }],
    ['repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' }],
    ['repositories_DeleteRepository', { repositoryId }],
    ['repositories_DeletePackage', { packageId }],
    ['repositories_GetPublishers', { repositoryId }],
    [
      'repositories_AddPublisher',
      { repositoryId, name: 'x', kind: 'GitHub', issuer: 'https://x.test', conditions: ids123 },
    ],
    ['repositories_DeletePublisher', { publisherId }],
    ['repositories_ExchangeIdToken', { repository: 'firmware', idToken: 'x' }],
  ];
  for (const [name, input] of forbidden)
    expect([name, (await hub.refusal(job, name, input)).kind]).toEqual([name, 'Forbidden']);
  const hidden: [Parameters<typeof hub.refusal>[1], object][] = [
    ['repositories_GetRepositoryDetails', { repositoryId: other.repositoryId }],
    ['repositories_CreatePackageVersion', { packageId: otherPackage, tags: [] }],
    ['projects_GetProjectDetails', { projectId }],
    ['projects_QueryProjectMembers', { projectId }],
  ];
  for (const [name, input] of hidden)
    expect([name, (await hub.refusal(job, name, input)).message]).toEqual([
      name,
      expect.stringMatching(/not found/),
    ]);
  const { repositories } = await hub.as(job, 'users_QueryUserRepositories', { userId });
  expect(repositories.map((repository) => repository.repositoryId)).toEqual([repositoryId]);
});

test('a job sees neither the members nor the log', async () => {
  const { hub, job, repositoryId } = await scene();
  for (const name of [
    'repositories_QueryRepositoryMembers',
    'repositories_QueryAuditLogEvents',
    'repositories_QueryRepositoryServiceAccounts',
  ] as const)
    expect(await hub.refusal(job, name, { repositoryId })).toEqual({
      kind: 'Forbidden',
      message: 'A job of a CI sees neither the members nor the log of a repository.',
    });
});

test('the service account of a publisher is listed, and removed, as the publisher only', async () => {
  const { hub, job, owner, repositoryId } = await scene();
  const listed = await hub.as(owner, 'repositories_QueryRepositoryServiceAccounts', { repositoryId });
  expect(listed.serviceAccounts).toEqual([]);
  expect(await hub.refusal(owner, 'users_DeleteServiceAccount', { userId: job.userId })).toMatchObject({
    message: 'Service account not found.',
  });
  const justProved = { ip: '127.0.0.1', steppedUpAt: hub.now().toISOString() };
  const { userId } = job;
  for (const input of [{ userId }, { userId, verbs: ['publish'] }])
    expect(await hub.refusal(owner, 'users_CreateUserToken', input, justProved)).toMatchObject({
      message: 'Only jobs of its CI get tokens of a publisher.',
    });
});

test('a job publishes for 15 minutes', async () => {
  const { hub, job, packageId } = await scene();
  const make = { packageId, tags: [] };
  hub.advance(14 * 60 + 59);
  await hub.as(job, 'repositories_CreatePackageVersion', make);
  hub.advance(1);
  expect(await hub.refusal(job, 'repositories_CreatePackageVersion', make)).toEqual({
    kind: 'NotSignedIn',
    message: 'The user token is not valid.',
  });
  expect(await hub.run(AuthenticateWithUserToken, { token: job.token })).toEqual({ result: 'Invalid' });
});

test('a publisher that is deleted takes its tokens along, and its connections are told', async () => {
  const { hub, job, owner, repositoryId, packageId, exchange } = await scene();
  const { publishers } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
  const [{ publisherId, lastUsedBy } = { publisherId: ids.publisher.of('x'), lastUsedBy: '' }] = publishers;
  expect(lastUsedBy).toBe('ann/press at refs/heads/main');
  const eve = await hub.user('eve@example.com');
  expect((await hub.refusal(eve, 'repositories_DeletePublisher', { publisherId })).message).toMatch(
    /not found/,
  );
  await hub.as(owner, 'repositories_DeletePublisher', { publisherId });
  const make = { packageId, tags: [] };
  expect((await hub.refusal(job, 'repositories_CreatePackageVersion', make)).kind).toBe('NotSignedIn');
  expect(hub.emittedEvents.at(-1)).toMatchObject({
    name: 'users_ServiceAccountDeleted',
    data: { userId: job.userId },
  });
  await expect(exchange()).rejects.toMatchObject({ kind: 'Forbidden' });
});

test('a hundred releases leave one token', async () => {
  const { hub, exchange, add, owner, repositoryId } = await publishingScene();
  await add();
  for (let count = 0; count < 5; count += 1) {
    await exchange();
    hub.advance(901);
  }
  await exchange();
  const rows = await hub.database.db.selectFrom('user_tokens').selectAll().execute();
  expect(rows).toHaveLength(1);
  const { publishers } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
  expect(publishers).toHaveLength(1);
});

test('a repository has at most 50 publishers, and may have several of one CI', async () => {
  const { add } = await publishingScene();
  for (let count = 0; count < 50; count += 1) await add({ name: `job ${count}` });
  await expect(add()).rejects.toThrow(/at most 50/);
});
