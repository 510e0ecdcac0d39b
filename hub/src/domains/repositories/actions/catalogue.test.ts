import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  seedAsset,
  seedCatalogue,
  seedPackage,
  seedRepository,
  seedVersion,
} from '../../../../test/seed-repository.ts';
import { seedUser } from '../../../../test/seed.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

describe('a repository', () => {
  test('has one name under all of its names, and is private and empty at first', async () => {
    const owner = await seedUser(hub, 'ada@example.org');
    const created = await hub.as(owner, 'repositories_CreateRepository', { name: '  Field firmware ' });
    if (created.result !== 'Created') throw new Error('It exists already.');
    const { repositoryId } = created;
    const name = 'Field firmware';
    expect(await hub.as(owner, 'repositories_GetRepositoryDetails', { repositoryId })).toEqual({
      repositoryId,
      name,
      displayName: name,
      slug: name,
      publicName: name,
      visibility: 'Private',
      packageCount: 0,
      assetCount: 0,
      usedBytes: 0,
      createdAt: expect.any(String),
      isOwner: true,
      canWrite: true,
    });
    const again = { displayName: name };
    expect(await hub.as(owner, 'repositories_CreateRepository', again)).toEqual({
      result: 'NameAlreadyExists',
    });
  });

  test.each(['', ' ', '.', '..', 'a/b', 'a\\b', 'a@b', 'a~b', 'a\u202eb', 'a\nb', 'x'.repeat(129)])(
    'may not be named %j',
    async (name) => {
      const owner = await seedUser(hub, `${Math.random()}@example.org`);
      const refusal = await hub.refusal(owner, 'repositories_CreateRepository', { name });
      expect(refusal).toMatchObject({
        kind: 'Invalid',
        message: expect.stringMatching(/^Repository name must /),
      });
    },
  );

  test('is renamed by either name, but not to a taken one', async () => {
    const { repositoryId, owner, name } = await seedRepository(hub);
    const { name: taken } = await seedRepository(hub);
    const rename = (slug: string) => hub.as(owner, 'repositories_SetSlug', { repositoryId, slug });
    expect(await rename(taken)).toEqual({ result: 'SlugAlreadyExists' });
    expect(await rename(name)).toEqual({ result: 'Success' });
    expect(await rename('renamed')).toEqual({ result: 'Success' });
    const display = { repositoryId, displayName: taken };
    expect(await hub.refusal(owner, 'repositories_SetDisplayName', display)).toEqual({
      kind: 'Invalid',
      message: `There is a repository named ${taken} already. Choose another name.`,
    });
    await hub.as(owner, 'repositories_SetDisplayName', { repositoryId, displayName: 'renamed again' });
    const found = await hub.as(owner, 'repositories_ResolveRepositoryName', { repository: 'renamed again' });
    expect(found).toEqual({ result: 'Found', repositoryId });
    expect(await hub.as(owner, 'repositories_ResolveRepositoryName', { repository: 'renamed' })).toEqual({
      result: 'NotFound',
    });
  });

  test('gets one of two names that are given to it and another at the same time', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { repositoryId, owner } = await seedRepository(hub);
      const slug = `same ${round}`;
      const answers = await Promise.all([
        hub.as(owner, 'repositories_SetSlug', { repositoryId, slug }),
        hub.as(owner, 'repositories_CreateRepository', { name: slug }),
      ]);
      const results = answers.map(({ result }) => result).join();
      expect(['Success,NameAlreadyExists', 'SlugAlreadyExists,Created']).toContain(results);
    }
  });

  test('has quotas that only administrators set, and that its readers see', async () => {
    const { repositoryId, owner } = await seedRepository(hub);
    const quota = { repositoryId, maxBytes: 5_000_000, maxAssets: 10 };
    expect(await hub.refusal(owner, 'repositories_SetQuota', quota)).toMatchObject({ kind: 'Forbidden' });
    await hub.as(system, 'repositories_SetQuota', quota);
    const details = () => hub.as(owner, 'repositories_GetRepositoryDetails', { repositoryId });
    expect(await details()).toMatchObject({ maxBytes: 5_000_000, maxAssets: 10 });
    await hub.as(system, 'repositories_SetQuota', { repositoryId });
    expect(await details()).not.toHaveProperty('maxBytes');
  });
});

describe('a package', () => {
  test('has kind, metadata, files and its newest version in the list', async () => {
    const repository = await seedRepository(hub);
    const { repositoryId, owner } = repository;
    const made = { repositoryId, name: 'app', kind: ' rugix ', metadata: { board: ['a', null] } };
    const created = await hub.as(owner, 'repositories_CreatePackage', made);
    if (created.result !== 'Created') throw new Error('It exists already.');
    const { packageId } = created;
    await seedVersion(hub, owner, packageId);
    hub.advance(1);
    const newest = await hub.as(owner, 'repositories_CreatePackageVersion', { packageId, name: '1.2' });
    const { packages } = await hub.as(owner, 'repositories_QueryRepositoryPackages', { repositoryId });
    expect(packages).toMatchObject([
      {
        packageId,
        kind: 'rugix',
        versionCount: 2,
        newestVersion: { versionId: newest.versionId, name: '1.2' },
      },
    ]);
    const assetId = await seedAsset(hub, repository, { size: 7, status: 'Dangling' });
    const file = { packageId, assetId, filename: 'logo.png', metadata: { alt: 'logo' } };
    expect(await hub.as(owner, 'repositories_AddPackageAsset', file)).toEqual({ result: 'Added' });
    expect(await hub.as(owner, 'repositories_GetPackageDetails', { packageId })).toMatchObject({
      repositoryId,
      metadata: { board: ['a', null] },
      assets: [{ filename: 'logo.png', assetId, size: 7, status: 'Dangling', metadata: { alt: 'logo' } }],
    });
    await hub.as(owner, 'repositories_SetPackageKind', { packageId });
    await hub.as(owner, 'repositories_SetPackageMetadata', { packageId, metadata: {} });
    const changed = await hub.as(owner, 'repositories_GetPackageDetails', { packageId });
    expect(changed).toMatchObject({ metadata: {} });
    expect(changed).not.toHaveProperty('kind');
  });

  test('is renamed within its repository, but not to a taken name', async () => {
    const repository = await seedRepository(hub);
    const packageId = await seedPackage(hub, repository, 'one');
    await seedPackage(hub, repository, 'two');
    const rename = (name: string) =>
      hub.as(repository.owner, 'repositories_SetPackageName', { packageId, name });
    expect(await rename('two')).toEqual({ result: 'NameAlreadyExists' });
    expect(await rename('three')).toEqual({ result: 'Success' });
    const path = { repository: repository.name, package: 'three' };
    expect(await hub.as(repository.owner, 'repositories_ResolvePackageByPath', path)).toMatchObject({
      packageId,
    });
  });

  test('is deleted with everything in it, and its assets are free', async () => {
    const { owner, repositoryId, packageId, versionId, assetId } = await seedCatalogue(hub);
    await hub.as(owner, 'repositories_DeletePackage', { packageId });
    expect((await hub.refusal(owner, 'repositories_GetPackageVersionDetails', { versionId })).message).toBe(
      'Version not found.',
    );
    const details = await hub.as(owner, 'repositories_GetRepositoryDetails', { repositoryId });
    expect(details).toMatchObject({ packageCount: 0, assetCount: 1 });
    const { db } = hub.database;
    const files = await db
      .selectFrom('version_assets')
      .select('filename')
      .where('asset_id', '=', assetId.slice('repo_a_'.length))
      .execute();
    expect(files).toEqual([]);
  });
});

describe('metadata', () => {
  const large = (kib: number) => ({ text: 'x'.repeat(kib * 1024 - '{"text":""}'.length) });

  test('of packages and versions may have 64 KiB, and of files 4', async () => {
    const { owner, packageId, versionId } = await seedCatalogue(hub);
    const refused = async (name: Parameters<FreshExecutor['refusal']>[1], input: object) =>
      (await hub.refusal(owner, name, input)).message;
    await hub.as(owner, 'repositories_SetPackageMetadata', { packageId, metadata: large(64) });
    await hub.as(owner, 'repositories_SetVersionMetadata', { versionId, metadata: large(64) });
    const tooMuch = { text: `${large(64).text}x` };
    const sentence = 'Metadata may have at most 64 KiB as JSON.';
    for (const [name, input] of [
      ['repositories_SetPackageMetadata', { packageId, metadata: tooMuch }],
      ['repositories_SetVersionMetadata', { versionId, metadata: tooMuch }],
      ['repositories_CreatePackageVersion', { packageId, metadata: tooMuch }],
    ] as const)
      expect(await refused(name, input)).toBe(sentence);
    const file = { versionId, filename: 'x' };
    await hub.as(owner, 'repositories_SetVersionAssetMetadata', { ...file, metadata: large(4) });
    expect(await refused('repositories_SetVersionAssetMetadata', { ...file, metadata: large(5) })).toBe(
      'The metadata of a file may have at most 4 KiB as JSON.',
    );
  });
});

describe('files of a version', () => {
  test('are stored under any name, once each, and at most a thousand', async () => {
    const { repository, owner, packageId } = await seedCatalogue(hub);
    const versionId = await seedVersion(hub, owner, packageId);
    const assetId = await seedAsset(hub, repository);
    const attach = (filename: string) =>
      hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename });
    const attachToPackage = (filename: string) =>
      hub.as(owner, 'repositories_AddPackageAsset', { packageId, assetId, filename });
    const names = [
      '.x',
      'a/b',
      '...',
      'x..',
      'a\r\nb',
      '"',
      ';',
      '%2f',
      'é'.repeat(256),
      'a\u202eb',
      'CON',
      '👩‍🌾',
    ];
    for (const name of names) expect(await attach(name)).toEqual({ result: 'Added' });
    for (const name of names) expect(await attach(name)).toEqual({ result: 'FilenameAlreadyExists' });
    const details = await hub.as(owner, 'repositories_GetPackageVersionDetails', { versionId });
    expect(details.assets.map(({ filename }) => filename).toSorted()).toEqual(names.toSorted());
    const dots = ['.', '..', '../x', './x', 'a/..', 'a/../b', 'a/./b', 'a\\..\\b', '..\\x', '/../x', 'a/.'];
    for (const wrong of ['', 'é'.repeat(257), ...dots])
      for (const call of [attach, attachToPackage])
        await expect(call(wrong)).rejects.toThrow(/^File name must /);
    for (const wrong of [' ', '\u200b'])
      await expect(attach(wrong)).rejects.toThrow('A name must have a visible character.');
    expect(await attach('e\u0301'.repeat(256))).toEqual({ result: 'FilenameAlreadyExists' });
    await sql`insert into version_assets (version_id, filename, asset_id, added_at)
      select ${ids.packageVersion.raw(versionId)}, 'f' || i, ${ids.asset.raw(assetId)}, now()
      from generate_series(1, ${995 - names.length}::int) i`.execute(hub.database.db);
    const last = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => attach(`last ${at}`)));
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(attach('one more')).rejects.toThrow('A version may have at most 1000 files.');
    const full = await hub.as(owner, 'repositories_GetPackageVersionDetails', { versionId });
    expect(full.assets).toHaveLength(1000);
  });

  test('are no assets that are being deleted', async () => {
    const { repository, owner, versionId } = await seedCatalogue(hub);
    const assetId = await seedAsset(hub, repository, { status: 'Deleting' });
    const file = { versionId, assetId, filename: 'y' };
    expect((await hub.refusal(owner, 'repositories_AddPackageVersionAsset', file)).message).toBe(
      'The asset is being deleted. Create it again, then attach it.',
    );
  });

  test('that are attached or detached spare the asset from the collector for a day', async () => {
    const { owner, versionId, assetId } = await seedCatalogue(hub);
    hub.advance(3600);
    await hub.as(owner, 'repositories_RemovePackageVersionAsset', { versionId, filename: 'x' });
    const { touched_at } = await hub.database.db
      .selectFrom('assets')
      .select('touched_at')
      .where('asset_id', '=', assetId.slice('repo_a_'.length))
      .executeTakeFirstOrThrow();
    expect(Date.parse(String(touched_at))).toBe(hub.now().getTime());
    const gone = { versionId, filename: 'x' };
    expect((await hub.refusal(owner, 'repositories_RemovePackageVersionAsset', gone)).message).toBe(
      'File not found.',
    );
  });
});

describe('downloads of an asset', () => {
  test('may have any name that a file may have', async () => {
    const { owner, assetId } = await seedCatalogue(hub);
    const issue = { assetId, filename: '🦄'.repeat(256) };
    const { url } = await hub.as(owner, 'repositories_IssueAssetDownloadUrl', issue);
    expect(new URL(url).searchParams.get('filename')).toBe(issue.filename);
    const longer = { assetId, filename: 'x'.repeat(257) };
    expect((await hub.refusal(owner, 'repositories_IssueAssetDownloadUrl', longer)).message).toBe(
      'The filename may have at most 256 characters.',
    );
  });

  const issued = () => hub.emittedEvents.filter(({ name }) => name === 'repositories_AssetDownloadIssued');
  const kept = async () =>
    (await sql<{ asset_id: string }>`select asset_id from recorded_downloads`.execute(hub.database.db)).rows;

  test('are in the log once for each actor and hour, however many are asked for at once', async () => {
    const { repositoryId, owner, assetId } = await seedCatalogue(hub);
    const { userId } = await seedUser(hub, 'reader@example.org');
    await hub.as(system, 'repositories_AddRepositoryMember', { repositoryId, userId });
    const reader = { actor: 'User', kind: 'User', userId } as const;
    hub.emittedEvents.length = 0;
    const download = (actor: typeof owner, times: number) =>
      Promise.all(
        Array.from({ length: times }, () =>
          hub.as(actor, 'repositories_IssueAssetDownloadUrl', { assetId, filename: 'x' }),
        ),
      );
    await download(owner, 8);
    await download(reader, 2);
    expect(issued().map(({ actor, data }) => ({ actor, data }))).toEqual(
      [owner, reader].map((actor) => ({ actor, data: { repositoryId, assetId } })),
    );
    const { events } = await hub.as(owner, 'repositories_QueryAuditLogEvents', { repositoryId });
    expect(events.filter(({ event }) => event === 'repositories_AssetDownloadIssued')).toHaveLength(2);
    hub.advance(3_599);
    await download(owner, 1);
    expect(issued()).toHaveLength(2);
    hub.advance(1);
    await download(owner, 8);
    expect(issued()).toHaveLength(3);
  });

  test('are forgotten after an hour', async () => {
    const { owner, assetId } = await seedCatalogue(hub);
    const other = await seedCatalogue(hub, { owner });
    await hub.as(owner, 'repositories_IssueAssetDownloadUrl', { assetId });
    hub.advance(3_600);
    await hub.as(owner, 'repositories_IssueAssetDownloadUrl', { assetId: other.assetId });
    expect(await kept()).toEqual([{ asset_id: ids.asset.raw(other.assetId) }]);
  });
});

describe('two versions', () => {
  test('compare by files, sizes, digests and metadata, with the bytes to fetch', async () => {
    const { repository, owner, packageId } = await seedCatalogue(hub);
    const [a, b, c] = await Promise.all([100, 20, 3].map((size) => seedAsset(hub, repository, { size })));
    const create = async (
      metadata: Record<string, string>,
      files: Record<string, Id<'asset'> | undefined>,
    ) => {
      const made = await hub.as(owner, 'repositories_CreatePackageVersion', { packageId, metadata });
      for (const [filename, assetId] of Object.entries(files))
        await hub.as(owner, 'repositories_AddPackageVersionAsset', {
          versionId: made.versionId,
          assetId: assetId as Id<'asset'>,
          filename,
        });
      return made.versionId;
    };
    const from = await create({ board: 'x', os: '1' }, { same: a, changed: b, removed: b });
    const to = await create({ board: 'y', os: '1', by: 'ci' }, { same: a, changed: c, moved: b, copy: c });
    await hub.as(owner, 'repositories_SetVersionAssetMetadata', {
      versionId: to,
      filename: 'same',
      metadata: { note: 1 },
    });
    const compared = await hub.as(owner, 'repositories_CompareVersions', {
      fromVersionId: from,
      toVersionId: to,
    });
    expect(compared.files.map(({ filename, change }) => [filename, change])).toEqual([
      ['changed', 'Changed'],
      ['copy', 'Added'],
      ['moved', 'Added'],
      ['removed', 'Removed'],
      ['same', 'Same'],
    ]);
    expect(compared.files[0]).toMatchObject({ from: { assetId: b, size: 20 }, to: { assetId: c, size: 3 } });
    expect(compared.files.map(({ hasOtherMetadata }) => hasOtherMetadata)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(compared.metadata).toEqual([
      { key: 'board', from: 'x', to: 'y' },
      { key: 'by', to: 'ci' },
    ]);
    expect(compared).toMatchObject({ totalBytes: 123, bytesToFetch: 3 });
  });

  test('of different packages do not', async () => {
    const one = await seedCatalogue(hub);
    const otherId = await seedPackage(hub, one.repository, 'other');
    const versions = {
      fromVersionId: one.versionId,
      toVersionId: await seedVersion(hub, one.owner, otherId),
    };
    expect((await hub.refusal(one.owner, 'repositories_CompareVersions', versions)).message).toBe(
      'Both versions must be of the same package.',
    );
  });
});

test('a reader by a link, or of a public repository, does not learn who moved tags', async () => {
  const { packageId, owner } = await seedCatalogue(hub, { visibility: 'Public' });
  const stranger = await seedUser(hub, 'eve@example.org');
  const read = async (by: typeof owner) =>
    (await hub.as(by, 'repositories_QueryTagHistory', { packageId })).moves[0];
  expect(await read(owner)).toMatchObject({ tag: 'v1', actor: owner });
  expect(await read(stranger)).not.toHaveProperty('actor');
});
