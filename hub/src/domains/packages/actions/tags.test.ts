import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
interface Tag {
  readonly tag: string;
  readonly locked?: boolean;
  readonly reassign?: boolean;
}

let packages = 0;
const newPackage = () => seedPackage(hub, repository, `image-${(packages += 1)}`);
const newVersion = (packageId: Id<'package'>, ...tags: string[]) =>
  seedVersion(hub, repository.owner, packageId, ...tags);
const tag = (versionId: Version, ...tags: Tag[]) =>
  hub.as(repository.owner, 'repositories_TagPackageVersion', { versionId, tags });
const refusedTag = async (versionId: Version, ...tags: Tag[]) =>
  (await hub.refusal(repository.owner, 'repositories_TagPackageVersion', { versionId, tags })).message;
const tagsOf = async (versionId: Version) =>
  (await hub.as(repository.owner, 'repositories_GetPackageVersionDetails', { versionId })).tags;
const history = async (packageId: Id<'package'>, name?: string) => {
  const input = { packageId, ...(name === undefined ? {} : { tag: name }) };
  return (await hub.as(repository.owner, 'repositories_QueryTagHistory', input)).moves;
};
const nameOf = async (packageId: Id<'package'>) =>
  (await hub.as(repository.owner, 'repositories_GetPackageDetails', { packageId })).name;
const resolve = async (packageId: Id<'package'>, reference: string) => {
  const answer = await hub.as(repository.owner, 'repositories_ResolvePackageVersionByPath', {
    repository: repository.name,
    package: await nameOf(packageId),
    tag: reference,
  });
  return answer.result === 'Found' ? answer.versionId : undefined;
};

describe('a tag', () => {
  test('moves by default, and its history says from where to where, by whom and when', async () => {
    const packageId = await newPackage();
    const one = await newVersion(packageId, 'stable');
    hub.advance(60);
    const two = await newVersion(packageId, 'stable');
    expect(await tagsOf(one)).toEqual([]);
    expect(await tagsOf(two)).toEqual([{ tag: 'stable', locked: false }]);
    const moves = await history(packageId);
    expect(moves).toMatchObject([
      { tag: 'stable', from: { versionId: one, exists: true }, to: { versionId: two }, locked: false },
      { tag: 'stable', to: { versionId: one }, actor: repository.owner },
    ]);
    expect(moves[1]?.from).toBeUndefined();
    expect(Date.parse(moves[0]?.movedAt ?? '')).toBe(hub.now().getTime());
    const { events } = await hub.as(repository.owner, 'repositories_QueryAuditLogEvents', {
      repositoryId: repository.repositoryId,
    });
    const logged = events.find(({ eventId }) => eventId === moves[0]?.eventId);
    expect(logged).toMatchObject({
      event: 'repositories_TagMoved',
      data: { tags: [{ tag: 'stable', fromVersionId: one, toVersionId: two }] },
    });
  });

  test('is recorded with the others of its call in one event, and has a place of its own in the history', async () => {
    const packageId = await newPackage();
    const versionId = await newVersion(packageId);
    const names = Array.from({ length: 100 }, (_, index) => `t${index}`);
    const before = hub.emittedEvents.length;
    await tag(versionId, ...names.map((name) => ({ tag: name })));
    const input = { versionId, tags: names.map((name) => ({ tag: name })) };
    await hub.as(repository.owner, 'repositories_UntagPackageVersion', input);
    const emitted = hub.emittedEvents.slice(before);
    expect(emitted.map(({ name, data }) => [name, (data['tags'] as unknown[]).length])).toEqual([
      ['repositories_TagMoved', 100],
      ['repositories_TagRemoved', 100],
    ]);
    const moves = await history(packageId);
    expect(moves.map((move) => move.tag).toSorted()).toEqual([...names, ...names].toSorted());
    expect(new Set(moves.map(({ movedAt }) => movedAt)).size).toBe(200);
    expect(new Set(moves.map(({ eventId }) => eventId)).size).toBe(2);
  });

  test('may name a build of a semantic version, which a package may not', async () => {
    const packageId = await newPackage();
    const version = await newVersion(packageId, 'v1.2.0+build7');
    expect(await resolve(packageId, 'v1.2.0+build7')).toBe(version);
    hub.advance(60);
    const next = await newVersion(packageId, 'v1.2.0+build7');
    expect(await resolve(packageId, 'v1.2.0+build7~1')).toBe(version);
    expect(await resolve(packageId, `v1.2.0+build7@${hub.now().toISOString()}`)).toBe(version);
    expect(await refusedTag(next, { tag: '+build7' })).toMatch(/^Tag must begin with a letter/);
    await expect(seedPackage(hub, repository, 'image+7')).rejects.toThrow(/^Package name must begin/);
  });

  test('with reassign false stays where it is, and the refusal names that version', async () => {
    const packageId = await newPackage();
    const one = await newVersion(packageId, 'v1');
    const two = await newVersion(packageId);
    const sent = { tag: 'v1', locked: false, reassign: false };
    expect(await refusedTag(two, sent)).toBe(
      `The tag v1 points at the version ${one} already. To move it, call again with reassign.`,
    );
    await tag(one, sent);
    expect(await history(packageId)).toHaveLength(1);
  });

  test.each(['', '-a', 'a b', 'a/b', 'a~1', 'a@2026-09-01', 'ä', 'x'.repeat(129)])(
    'may not be named %j',
    async (name) => {
      const versionId = await newVersion(await newPackage());
      expect(await refusedTag(versionId, { tag: name })).toMatch(/^Tag must /);
    },
  );

  test('given twice is refused, and more than a hundred of a version are', async () => {
    const packageId = await newPackage();
    const versionId = await newVersion(packageId);
    expect(await refusedTag(versionId, { tag: 'a' }, { tag: 'a' })).toBe('The tag a is given twice.');
    await tag(versionId, ...Array.from({ length: 100 }, (_, at) => ({ tag: `t${at}` })));
    expect(await refusedTag(versionId, { tag: 'a' })).toBe('A version may have at most 100 tags.');
    await tag(versionId, { tag: 't5', locked: true });
  });
});

describe('a locked tag', () => {
  test('is neither moved nor removed, and its version and package are not deleted', async () => {
    const packageId = await newPackage();
    const one = await newVersion(packageId);
    const two = await newVersion(packageId);
    await tag(one, { tag: 'v1', locked: true });
    const isLocked = `The tag v1 is locked: it stays on the version ${one} and can neither be moved nor removed.`;
    expect(await refusedTag(two, { tag: 'v1' })).toBe(isLocked);
    expect(await refusedTag(two, { tag: 'v1', reassign: false })).toBe(isLocked);
    const refusals = [
      await hub.refusal(repository.owner, 'repositories_UntagPackageVersion', {
        versionId: one,
        tags: [{ tag: 'v1' }],
      }),
      await hub.refusal(repository.owner, 'repositories_DeletePackageVersion', { versionId: one }),
      await hub.refusal(repository.owner, 'repositories_DeletePackage', { packageId }),
    ];
    for (const refusal of refusals) {
      expect(refusal.kind).toBe('Invalid');
      expect(refusal.message).toMatch(/locked/);
    }
    await tag(one, { tag: 'v1', locked: false });
    expect(await tagsOf(one)).toEqual([{ tag: 'v1', locked: true }]);
  });

  test('keeps the files of its version, but takes more', async () => {
    const versionId = await newVersion(await newPackage());
    const attach = async (filename: string) =>
      hub.as(repository.owner, 'repositories_AddPackageVersionAsset', {
        versionId,
        assetId: await seedAsset(hub, repository),
        filename,
      });
    await attach('image');
    await tag(versionId, { tag: 'v1', locked: true });
    const file = { versionId, filename: 'image' };
    const refusal = await hub.refusal(repository.owner, 'repositories_RemovePackageVersionAsset', file);
    expect(refusal.message).toBe(
      'The locked tag v1 points at this version, so neither the version nor a file of it can be removed.',
    );
    expect(await attach('notes')).toEqual({ result: 'Added' });
    expect(await attach('image')).toEqual({ result: 'FilenameAlreadyExists' });
  });

  test('goes with its repository', async () => {
    const other = await seedRepository(hub);
    const packageId = await seedPackage(hub, other);
    const versionId = await seedVersion(hub, other.owner, packageId);
    await hub.as(other.owner, 'repositories_TagPackageVersion', {
      versionId,
      tags: [{ tag: 'v1', locked: true }],
    });
    const assetId = await seedAsset(hub, other);
    await hub.as(other.owner, 'repositories_DeleteRepository', { repositoryId: other.repositoryId });
    const asset = await hub.database.db
      .selectFrom('assets')
      .select('status')
      .where('asset_id', '=', ids.asset.raw(assetId))
      .executeTakeFirst();
    expect(asset).toEqual({ status: 'Deleting' });
  });
});

test('all tags of a call are set, or none, and then there is no version either', async () => {
  const packageId = await newPackage();
  const one = await newVersion(packageId, 'b');
  await tag(one, { tag: 'b', locked: true });
  const create = { packageId, tags: [{ tag: 'a' }, { tag: 'b' }, { tag: 'c' }] };
  await hub.refusal(repository.owner, 'repositories_CreatePackageVersion', create);
  const { versions } = await hub.as(repository.owner, 'repositories_QueryPackageVersions', { packageId });
  expect(versions).toMatchObject([{ versionId: one, tags: [{ tag: 'b', locked: true }] }]);
  const untag = { versionId: one, tags: [{ tag: 'a' }] };
  const refusal = await hub.refusal(repository.owner, 'repositories_UntagPackageVersion', untag);
  expect(refusal.message).toBe(`The tag a does not point at the version ${one}.`);
});

describe('a reference', () => {
  let packageId: Id<'package'>;
  const versions: Version[] = [];
  beforeAll(async () => {
    packageId = await newPackage();
    for (let day = 0; day < 3; day += 1) {
      versions.push(await newVersion(packageId, 'stable'));
      hub.advance(24 * 3600);
    }
    await tag(versions[2] as Version, { tag: 'stable', locked: true });
  });
  const dayBefore = (days: number) =>
    new Date(hub.now().getTime() - days * 24 * 3600 * 1000).toISOString().slice(0, 10);

  test('by steps is what the tag pointed at before its last moves; locking is no move', async () => {
    expect(await resolve(packageId, 'stable')).toBe(versions[2]);
    expect(await resolve(packageId, 'stable~1')).toBe(versions[1]);
    expect(await resolve(packageId, 'stable~2')).toBe(versions[0]);
    expect(await resolve(packageId, 'stable~3')).toBeUndefined();
  });

  test('by day is what the tag pointed at when that day ended, in UTC', async () => {
    expect(await resolve(packageId, `stable@${dayBefore(0)}`)).toBe(versions[2]);
    expect(await resolve(packageId, `stable@${dayBefore(1)}`)).toBe(versions[2]);
    expect(await resolve(packageId, `stable@${dayBefore(2)}`)).toBe(versions[1]);
    expect(await resolve(packageId, `stable@${dayBefore(3)}`)).toBe(versions[0]);
    expect(await resolve(packageId, `stable@${dayBefore(4)}`)).toBeUndefined();
  });

  test('by time is what the tag pointed at then, in any offset', async () => {
    const moves = await history(packageId, 'stable');
    const at = moves.find(({ to }) => to?.versionId === versions[1])?.movedAt ?? '';
    expect(await resolve(packageId, `stable@${at}`)).toBe(versions[1]);
    const earlier = new Date(Date.parse(at) - 1).toISOString();
    expect(await resolve(packageId, `stable@${earlier}`)).toBe(versions[0]);
    const later = new Date(Date.parse(at) + 2 * 3600 * 1000).toISOString().slice(0, 19);
    const local = later + at.slice(19).replace('Z', '+02:00');
    expect(await resolve(packageId, `stable@${local}`)).toBe(versions[1]);
  });

  test('to a deleted version, or a tag that was removed, finds none; before its removal it finds it', async () => {
    const other = await newPackage();
    const one = await newVersion(other, 'next');
    const two = await newVersion(other, 'next');
    await hub.as(repository.owner, 'repositories_UntagPackageVersion', {
      versionId: two,
      tags: [{ tag: 'next' }],
    });
    expect(await resolve(other, 'next')).toBeUndefined();
    expect(await resolve(other, 'next~1')).toBe(two);
    expect(await resolve(other, 'next~2')).toBe(one);
    await hub.as(repository.owner, 'repositories_DeletePackageVersion', { versionId: one });
    expect(await resolve(other, 'next~2')).toBeUndefined();
    expect(await history(other)).toMatchObject([
      { from: { versionId: two, exists: true } },
      { from: { versionId: one, exists: false }, to: { versionId: two, exists: true } },
      { to: { versionId: one, exists: false } },
    ]);
  });

  test.each([
    'v~',
    'v~0',
    'v~x',
    'v~1001',
    'v~99999',
    'v@',
    'v@soon',
    'v@2026-02-31',
    'v@2026-09-01T25:00:00Z',
    'v~1~1',
  ])('%s is refused with what may come there', async (reference) => {
    const path = { repository: repository.name, package: 'image-1', tag: reference };
    const refusal = await hub.refusal(repository.owner, 'repositories_ResolvePackageVersionByPath', path);
    expect(refusal).toMatchObject({ kind: 'Invalid', message: expect.stringMatching(/^After [~@] comes /) });
  });
});

test('each move is later than the one before, although the clock stands still or goes back', async () => {
  const packageId = await newPackage();
  const [one, two] = [await newVersion(packageId), await newVersion(packageId)];
  for (let move = 0; move < 10; move += 1) {
    await tag(move % 2 === 0 ? one : two, { tag: 'next' });
    if (move === 5) hub.advance(-30);
  }
  hub.advance(30);
  const times = (await history(packageId, 'next')).map(({ movedAt }) => movedAt);
  expect(new Set(times).size).toBe(10);
  expect(await resolve(packageId, 'next')).toBe(two);
  expect(await resolve(packageId, 'next~1')).toBe(one);
  expect(await resolve(packageId, 'next~9')).toBe(one);
});
