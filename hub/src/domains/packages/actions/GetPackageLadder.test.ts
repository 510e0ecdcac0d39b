import { type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  seedAsset,
  seedPackage,
  seedRepository,
  seedVersion,
  type SeededRepository,
} from '../../../../test/seed-repository.ts';

let hub: FreshExecutor;
let repository: SeededRepository;
beforeAll(async () => {
  hub = await freshExecutor();
  repository = await seedRepository(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

type Version = Id<'packageVersion'>;

const ladderOf = async (packageId: Id<'package'>) =>
  (await hub.as(repository.owner, 'repositories_GetPackageLadder', { packageId })).rungs;
const lock = (versionId: Version, tag: string) =>
  hub.as(repository.owner, 'repositories_TagPackageVersion', { versionId, tags: [{ tag, locked: true }] });

/** Publishes versions, oldest first, each with these tags. */
async function publish(packageId: Id<'package'>, tagsOf: readonly (readonly string[])[]): Promise<Version[]> {
  const versions: Version[] = [];
  for (const tags of tagsOf) {
    hub.advance(1);
    versions.push(await seedVersion(hub, repository.owner, packageId, ...tags));
  }
  return versions;
}

test('a package without versions has no rungs', async () => {
  expect(await ladderOf(await seedPackage(hub, repository, 'empty'))).toEqual([]);
});

test('the newest three, those that a tag points at and those between add up to all versions', async () => {
  const packageId = await seedPackage(hub, repository, 'many');
  const tags = Array.from({ length: 30 }, (_, index) => (index === 4 ? ['stable', 'field'] : []));
  const versions = await publish(packageId, tags);
  const rungs = await ladderOf(packageId);
  expect(rungs.map(({ versionId, olderCount }) => [versionId, olderCount])).toEqual([
    [versions[29], 0],
    [versions[28], 0],
    [versions[27], 22],
    [versions[4], 4],
  ]);
  expect(rungs[3]?.tags.map(({ tag }) => tag)).toEqual(['field', 'stable']);
  expect(rungs.map(({ step }) => step !== undefined)).toEqual([true, true, true, false]);
});

test('versions of one instant are neither lost nor counted twice', async () => {
  const packageId = await seedPackage(hub, repository, 'at-once');
  for (let index = 0; index < 9; index += 1) await seedVersion(hub, repository.owner, packageId);
  const rungs = await ladderOf(packageId);
  expect(rungs.reduce((sum, { olderCount }) => sum + 1 + olderCount, 0)).toBe(9);
});

test('of the versions that only locked tags point at, the newest are rungs', async () => {
  const packageId = await seedPackage(hub, repository, 'releases');
  const versions = await publish(
    packageId,
    Array.from({ length: 12 }, () => []),
  );
  for (const [index, versionId] of versions.entries()) if (index < 8) await lock(versionId, `v${index}`);
  expect((await ladderOf(packageId)).map(({ versionId }) => versions.indexOf(versionId))).toEqual([
    11, 10, 9, 7, 6, 5,
  ]);
});

test('the figures of each step are those of the comparison, and those of a version those of its files', async () => {
  const packageId = await seedPackage(hub, repository, 'compared');
  const versions = await publish(packageId, [['a'], ['b'], ['c'], ['d'], [], []]);
  const assets: Id<'asset'>[] = [];
  for (const size of [0, 10, 200, 3_000, 40_000]) assets.push(await seedAsset(hub, repository, { size }));
  const filesOf: readonly (readonly [string, number])[][] = [
    [],
    [['one', 1]],
    // Renamed and kept twice: the bytes are there already.
    [['two', 1], ['copy', 1], ['empty', 0]], // prettier-ignore
    [['two', 2], ['copy', 2], ['empty', 0], ['new', 3]], // prettier-ignore
    [['two', 4], ['new', 3]], // prettier-ignore
    [['two', 4], ['new', 3]], // prettier-ignore
  ];
  for (const [index, files] of filesOf.entries())
    for (const [filename, asset] of files)
      await hub.as(repository.owner, 'repositories_AddPackageVersionAsset', {
        versionId: versions[index]!,
        assetId: assets[asset]!,
        filename,
      });
  const rungs = await ladderOf(packageId);
  expect(rungs).toHaveLength(6);
  for (const [index, { versionId, fileCount, totalBytes, step }] of rungs.entries()) {
    const older = rungs[index + 1];
    const compared = await hub.as(repository.owner, 'repositories_CompareVersions', {
      fromVersionId: older?.versionId ?? versionId,
      toVersionId: versionId,
    });
    const changedFiles = compared.files.filter(({ change }) => change !== 'Same').length;
    expect({ totalBytes, fileCount }).toEqual({
      totalBytes: compared.totalBytes,
      fileCount: compared.files.filter(({ to }) => to !== undefined).length,
    });
    expect(step).toEqual(
      older === undefined ? undefined : { changedFiles, bytesToFetch: compared.bytesToFetch },
    );
  }
});
