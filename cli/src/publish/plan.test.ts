import { tableExecutor } from '@corral/client';
import { ActionError, ids } from '@corral/contract';
import { expect, test } from 'vitest';
import type { ListedVersion } from '../hub/package-tags.ts';
import type { Manifest } from './manifest.ts';
import { conflictOf, findTarget, isDone, planOf, knownDigests, type PlannedFile } from './plan.ts';

const repositoryId = ids.repository.of('1'.repeat(22));
const packageId = ids.package.of('1'.repeat(22));
const digest = `sha256_${'a'.repeat(64)}`;

interface KnownVersion {
  readonly tags?: readonly { readonly tag: string; readonly locked: boolean }[];
  readonly files?: readonly string[];
  readonly status?: string;
  readonly stored?: string;
}

const idOf = (index: number) => ids.packageVersion.of(String(1000 + index).padStart(22, '1'));

/** A hub whose package has these versions called 1.4.0, newest first; all have the files of the manifest unless they say other ones. */
function hubWith(versions: readonly KnownVersion[]) {
  const details = versions.map(
    ({ tags = [], files = ['press.img'], status = 'Available', stored = 'Verified' }, index) => ({
      versionId: idOf(index),
      name: '1.4.0',
      tags,
      metadata: {},
      assets: files.map((filename) => ({
        filename,
        digest,
        status,
        storage: { status: stored },
        metadata: {},
      })),
    }),
  );
  return tableExecutor({
    repositories_QueryPackageVersions: () => ({ versions: details }) as never,
    repositories_GetPackageVersionDetails: ({ versionId }) =>
      details.find((version) => version.versionId === versionId) as never,
    repositories_QueryRepositoryAssets: () => ({ assets: details.flatMap(({ assets }) => assets) }) as never,
  });
}

const locked = { tag: '1.4.0', locked: true };
const stable = { tag: 'stable', locked: false };

function planned(versions: readonly KnownVersion[], isOfJob = false) {
  const content = { digest, sizeBytes: 5 };
  const files = [{ filename: 'press.img', metadata: {}, content } as unknown as PlannedFile];
  const tags = [
    { name: 'stable', locked: false },
    { name: '1.4.0', locked: true },
  ];
  const manifest = { version: '1.4.0', metadata: {}, tags } as unknown as Manifest;
  return planOf(hubWith(versions), manifest, files, { repositoryId, packageId, isOfJob });
}

test('a repository is said to be missing only by a hub that says so', async () => {
  const manifest = { repository: 'firmware', package: 'press' } as Manifest;
  const missing = tableExecutor({ repositories_ResolveRepositoryName: () => ({ result: 'NotFound' }) });
  await expect(findTarget(missing, manifest)).rejects.toThrow(
    'There is no repository "firmware" that you can access: create it with `corral repositories create "firmware"`.',
  );
  const away = new ActionError('NotReady', 'The hub cannot be reached.');
  const unreachable = tableExecutor({
    repositories_ResolveRepositoryName() {
      throw away;
    },
  });
  await expect(findTarget(unreachable, manifest)).rejects.toBe(away);
});

test.each([
  [
    'the one that a locked tag points at, though a newer one has more',
    [{ tags: [stable] }, { tags: [locked] }],
    1,
  ],
  ['the one with most of its tags', [{}, { tags: [{ ...locked, locked: false }, stable] }, { tags: [] }], 1],
  ['the newest one, if none has its tags', [{ tags: [{ tag: 'other', locked: true }] }, {}], 0],
  [
    'one behind more than a hundred without tags',
    [...Array.from({ length: 120 }, () => ({})), { tags: [locked] }],
    120,
  ],
  ['a complete one, not one that was begun', [{ files: [] }, {}], 1],
  ['one that was begun, not a complete one of other files', [{ files: ['other'] }, { files: [] }], 1],
] as const)('of several versions of the name it takes %s', async (_which, versions, expected) => {
  expect((await planned(versions)).version?.versionId).toBe(idOf(expected));
});

test.each([
  ['finished', [{ tags: [stable] }], true],
  ['complete, but without its tags', [{}], false],
  ['begun', [{ files: [] }], false],
] as const)('a job takes a version that is %s for its own: %j', async (_which, versions, isTaken) => {
  expect((await planned(versions, true)).version !== undefined).toBe(isTaken);
});

test('two equal versions are no conflict: the tags of the preferred one stay, and those of the other move', async () => {
  const plan = await planned([{ tags: [stable] }, { tags: [locked] }]);
  expect(plan.tags.map(({ name, change }) => [name, change])).toEqual([
    ['stable', 'moves'],
    ['1.4.0', 'stays'],
  ]);
  expect(isDone(plan)).toBe(false);
});

test.each([
  ['Available', 'Verified', true],
  ['Available', 'Present', true],
  ['Available', 'Error', true],
  ['Available', 'Missing', false],
  ['Available', 'Mismatched', false],
  ['Dangling', 'Unknown', false],
])(
  'a published version whose file is %s and %s in the store is done: %s',
  async (status, stored, expected) => {
    const versions = [{ tags: [stable, locked], status, stored }];
    const plan = await planned(versions);
    expect(isDone(plan)).toBe(expected);
    const { present, counted } = await knownDigests(hubWith(versions), plan);
    expect([present.has(digest), counted.has(digest)]).toEqual([expected, true]);
  },
);

const lettered = (letter: string) => ids.packageVersion.of(letter.repeat(22));
const listed = (letter: string, name: string, ...tags: string[]): ListedVersion => ({
  versionId: lettered(letter),
  name,
  createdAt: '2026-11-20T12:00:00Z',
  tags: tags.map((tag) => ({ tag, locked: tag === 'stable' })),
});
const manyVersions = [listed('a', '1.4.0-rc', 'stable', 'next'), listed('b', '1.4.0'), listed('c', '1.3.0')];

test('only the versions with the name and the tags are read of a package with many', async () => {
  const searched: (string | undefined)[] = [];
  const hub = tableExecutor({
    repositories_QueryPackageVersions: ({ search = '' }) => {
      searched.push(search);
      const holds = (text: string | undefined) => text?.includes(search) === true;
      return {
        versions: manyVersions.filter(({ name, tags }) => holds(name) || tags.some(({ tag }) => holds(tag))),
      };
    },
    repositories_GetPackageVersionDetails: ({ versionId }) =>
      ({ ...manyVersions.find((one) => one.versionId === versionId), metadata: {}, assets: [] }) as never,
  });
  const tags = ['stable', 'nightly'].map((name) => ({ name, locked: false }));
  const manifest = {
    repository: 'r',
    package: 'p',
    kind: undefined,
    version: '1.4.0',
    metadata: {},
    tags,
    files: [],
  };
  const plan = await planOf(hub, manifest, [], { repositoryId, packageId, isOfJob: false });
  expect(new Set(searched)).toEqual(new Set(['1.4.0', 'nightly', 'stable']));
  expect(searched).toHaveLength(3);
  expect(plan.version?.versionId).toBe(lettered('b'));
  expect(plan.tags.map(({ change }) => change)).toEqual(['conflict', 'new']);
  expect(conflictOf(plan, '')?.message).toContain('The tag stable is locked at the version 1.4.0-rc');
});
