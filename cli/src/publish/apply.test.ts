import { tableExecutor, type Executor } from '@corral/client';
import { ActionError, ids, type Id } from '@corral/contract';
import { expect, test } from 'vitest';
import type { Transfers } from '../commands/transfers.ts';
import { applyPlan } from './apply.ts';
import type { Plan } from './plan.ts';

const id = '1'.repeat(22);
const repositoryId = ids.repository.of(id);
const packageId = ids.package.of(id);

/** A hub with a package; the versions that were created are in it. */
function hubWithVersions() {
  const created: string[] = [];
  const of = (index: number) => ids.packageVersion.of(String(index + 1).repeat(22));
  const shown = (name: string, index: number) => ({
    versionId: of(index),
    name,
    tags: [],
    metadata: {},
    assets: [],
  });
  const executor = tableExecutor({
    repositories_CreatePackageVersion: ({ name = '' }) =>
      ({ versionId: of(created.push(name) - 1) }) as never,
    repositories_QueryPackageVersions: () => ({ versions: created.map(shown) }) as never,
    repositories_GetPackageVersionDetails: ({ versionId }) =>
      created.map(shown).find((version) => version.versionId === versionId) as never,
    repositories_TagPackageVersion: () => ({}),
  });
  return { created, executor };
}

test('a version is published once, though the hub is away and each answer is lost once', async () => {
  const { created, executor } = hubWithVersions();
  const lost = new Set<string>();
  const shaky: Executor = {
    async invoke(name, input) {
      const answer = await executor.invoke(name, input);
      if (lost.has(name)) return answer;
      lost.add(name);
      throw new ActionError('NotReady', 'The hub cannot be reached.');
    },
  };
  const tag = { name: 'stable', locked: false, change: 'new', from: undefined } as const;
  const manifest = { repository: 'r', package: 'p', version: '1.4.0', metadata: {}, tags: [tag], files: [] };
  const plan = {
    manifest,
    repositoryId,
    packageId,
    files: [],
    version: undefined,
    tags: [tag],
  } as unknown as Plan;
  const reasons: string[] = [];
  const retrying = { random: () => 0, onRetry: (reason: string) => void reasons.push(reason) };
  const published = await applyPlan(shaky, plan, {} as Transfers, retrying);
  expect(created).toEqual(['1.4.0']);
  expect(published.versionId).toBe(ids.packageVersion.of(id));
  expect(lost).toContain('repositories_TagPackageVersion');
  expect(new Set(reasons)).toEqual(new Set(['The hub cannot be reached.']));
});

/**
 * A hub on which another run publishes the same, under a tag that it locks, just before this run sets its tags. `tagsBeforeDeletion` are set just before this run
 * deletes its version.
 */
function hubOvertaken(filesOfOther: readonly object[], tagsBeforeDeletion: readonly object[] = []) {
  const versions: { versionId: Id<'packageVersion'>; tags: object[]; assets: readonly object[] }[] = [];
  const of = (index: number) => ids.packageVersion.of(String(index + 1).repeat(22));
  const shown = { name: '1.4.0', metadata: {}, packageId };
  const executor = tableExecutor({
    repositories_CreatePackageVersion: () => {
      versions.push({ versionId: of(versions.length), tags: [], assets: [] });
      return { result: 'Created', versionId: of(versions.length - 1) };
    },
    repositories_QueryPackageVersions: () =>
      ({ versions: versions.map((version) => ({ ...shown, ...version })).toReversed() }) as never,
    repositories_GetPackageVersionDetails: ({ versionId }) =>
      ({ ...shown, ...versions.find((version) => version.versionId === versionId) }) as never,
    repositories_TagPackageVersion: () => {
      const tags = [{ tag: '1.4.0', locked: true }];
      versions.push({ versionId: of(7), tags, assets: filesOfOther });
      throw new ActionError('Invalid', 'The tag 1.4.0 is locked.');
    },
    repositories_DeletePackageVersion: ({ versionId, onlyIfUntagged }) => {
      const index = versions.findIndex((version) => version.versionId === versionId);
      versions[index]?.tags.push(...tagsBeforeDeletion);
      if (onlyIfUntagged === true && tagsBeforeDeletion.length > 0)
        throw new ActionError('Invalid', 'A tag points at this version.');
      versions.splice(index, 1);
      return {};
    },
  });
  return { executor, left: () => versions.map(({ versionId }) => versionId), other: of(7) };
}

const lockedPlan = (): Plan => {
  const tag = { name: '1.4.0', locked: true };
  const manifest = { repository: 'r', package: 'p', version: '1.4.0', metadata: {}, tags: [tag], files: [] };
  const tags = [{ ...tag, change: 'new', from: undefined }];
  return { manifest, repositoryId, packageId, files: [], version: undefined, tags } as unknown as Plan;
};

test('when two runs lock a tag at once, the later one takes the version of the other and leaves none of its own', async () => {
  const { executor, left, other } = hubOvertaken([]);
  expect(await applyPlan(executor, lockedPlan(), {} as Transfers, {})).toMatchObject({
    isUnchanged: true,
    versionId: other,
  });
  expect(left()).toEqual([other]);
});

test('a tag that another run locks at other files meanwhile is a conflict, and leaves no version', async () => {
  const { executor, left, other } = hubOvertaken([{ filename: 'other.img', digest: '', metadata: {} }]);
  await expect(applyPlan(executor, lockedPlan(), {} as Transfers, {})).rejects.toMatchObject({
    message:
      'The tag 1.4.0 is locked at the version 1.4.0: publish under another tag. Nothing was published.',
    exitCode: 4,
  });
  expect(left()).toEqual([other]);
});

test('a version that a third run has tagged just before its deletion stays', async () => {
  const { executor, left, other } = hubOvertaken([], [{ tag: 'nightly', locked: false }]);
  expect(await applyPlan(executor, lockedPlan(), {} as Transfers, {})).toMatchObject({ versionId: other });
  expect(left()).toEqual([ids.packageVersion.of(id), other]);
});
