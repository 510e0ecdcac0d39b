import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Id } from '@corral/contract';
import { cliLauncher, expect, test } from '../fixtures/command-line.ts';
import { startGatheringRelay } from '../fixtures/gathering-relay.ts';
import { runProgram } from '../fixtures/program.ts';
import { writePublication } from '../fixtures/publication.ts';

interface Details {
  readonly versionId: string;
  readonly tags: { tag: string; locked: boolean }[];
  readonly assets: { filename: string; digest: string; status: string; metadata: object }[];
  readonly metadata: object;
}

test('publish: a plan, the version with files and tags, and nothing the second time; pull brings the same bytes', async ({
  corral,
  corralJson,
  folder,
  project,
}) => {
  const { repository, packagePath, manifest, bytes } = await writePublication(folder);
  await corral('repositories', 'create', repository);
  await corral('repositories', 'link', repository, project.name);

  const plan = await corral('publish', manifest, '--plan');
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(plan.stdout).toMatch(/a new package with the version 1\.4\.0\n/);
  expect(plan.stdout).toMatch(/press\.img +293\.0 KiB +to send\n/);
  expect(plan.stdout).toMatch(/stable +new\n1\.4\.0 +new, locked\n/);
  expect(plan.stdout).toContain(`Devices that may fetch it: 0 devices in ${project.name}.`);
  expect((await corral('packages', 'list', repository)).stdout).toBe('The repository has no packages yet.\n');

  expect((await corral('publish', manifest)).stdout).toMatch(
    /^✓ \S+\/press is published as pkg_v_\w+, 293\.0 KiB sent\.\n {2}press\.img, 293\.0 KiB: uploaded\n {2}notes\.txt, 15 B: uploaded\n$/,
  );
  const details = (await corralJson('versions', 'show', `${packagePath}@stable`)) as Details;
  expect(details).toMatchObject({
    name: '1.4.0',
    metadata: { commit: '4f2a' },
    assets: [
      { filename: 'notes.txt', status: 'Available', metadata: { language: 'en' } },
      { filename: 'press.img', status: 'Available', metadata: {} },
    ],
  });
  expect(details.tags).toEqual(
    expect.arrayContaining([
      { tag: '1.4.0', locked: true },
      { tag: 'stable', locked: false },
    ]),
  );

  const again = await corral('publish', manifest);
  expect(again.stdout).toBe(
    `✓ ${packagePath} is published already, as ${details.versionId}: nothing was done.\n`,
  );
  expect(await corralJson('publish', manifest, '--plan')).toMatchObject({
    status: 'unchanged',
    bytesToSend: 0,
  });
  expect(
    ((await corralJson('versions', 'list', packagePath)) as { versions: object[] }).versions,
  ).toHaveLength(1);

  const target = join(folder, 'pulled');
  await mkdir(target);
  const pulled = await corral('pull', `${packagePath}@stable`, '--output', target);
  expect(pulled).toMatchObject({ code: 0, stderr: '' });
  expect((await readFile(join(target, 'press.img'))).equals(bytes)).toBe(true);
  expect((await readdir(target)).toSorted()).toEqual(['notes.txt', 'press.img']);
  expect((await corral('versions', 'verify', `${packagePath}@stable`, target)).code).toBe(0);
  await appendFile(join(target, 'notes.txt'), '!');
  expect(await corral('versions', 'verify', `${packagePath}@stable`, target)).toMatchObject({
    code: 5,
    stderr: 'Not the bytes of the version: notes.txt.\n',
  });
});

test('folders that publish records come back by pull, on the device too, and verify compares them', async ({
  corral,
  corralJson,
  folder,
  project,
  connected,
}) => {
  const { repository, packagePath, manifest } = await writePublication(folder);
  for (const name of ['a', 'b']) {
    await mkdir(join(dirname(manifest), 'web', name, 'deep'), { recursive: true });
    await writeFile(join(dirname(manifest), 'web', name, 'x.js'), `${name}\n`);
    await writeFile(join(dirname(manifest), 'web', name, 'deep', 'x.js'), `deep in ${name}\n`);
  }
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/^files = .*$/m, 'files = ["web/**"]'));
  await corral('repositories', 'create', repository);
  await corral('repositories', 'link', repository, project.name);
  await corral('publish', manifest);
  const version = `${packagePath}@stable`;
  const [user, device] = [join(folder, 'of the user'), join(folder, 'of the device')];
  await Promise.all([mkdir(user), mkdir(device)]);
  expect(await corral('pull', version, '--output', user)).toMatchObject({ code: 0, stderr: '' });
  expect(await connected.device.attempt('repositories', 'pull', version, '--output', device)).toMatchObject({
    code: 0,
    stderr: '',
  });
  for (const target of [user, device]) {
    const names = ['a/deep/x.js', 'a/x.js', 'b/deep/x.js', 'b/x.js'];
    expect(await Promise.all(names.map((name) => readFile(join(target, name), 'utf8')))).toEqual([
      'deep in a\n',
      'a\n',
      'deep in b\n',
      'b\n',
    ]);
    expect(await corralJson('versions', 'verify', version, target)).toMatchObject({
      files: names.map((filename) => ({ filename, path: join(target, filename), isEqual: true })),
    });
  }
  await appendFile(join(user, 'b/deep/x.js'), '!');
  expect(await corral('versions', 'verify', version, user)).toMatchObject({
    code: 5,
    stderr: 'Not the bytes of the version: b/deep/x.js.\n',
  });
});

test('publishing moves tags last, says how to go back, and never moves a locked tag: exit 4, nothing sent', async ({
  corral,
  corralJson,
  folder,
}) => {
  const first = await writePublication(folder);
  const { repository, packagePath } = first;
  await corral('repositories', 'create', repository);
  await corral('publish', first.manifest);
  const { versionId } = (await corralJson('versions', 'show', `${packagePath}@stable`)) as Details;
  const second = await writePublication(folder, { repository, version: '1.5.0' });
  const plan = await corral('publish', second.manifest, '--plan');
  expect(plan.stdout).toMatch(/stable +moves here from 1\.4\.0\n1\.5\.0 +new, locked\n/);
  const published = await corral('publish', second.manifest);
  const command = `corral versions tag ${versionId} stable`;
  expect(published.stdout).toContain(`To go back: ${command}\n`);
  expect((await corral(...command.split(' ').slice(1))).code).toBe(0);
  expect(await corralJson('versions', 'show', `${packagePath}@stable`)).toMatchObject({ name: '1.4.0' });

  const assets = async () =>
    ((await corralJson('assets', 'list', repository)) as { assets: object[] }).assets.length;
  const before = await assets();
  const third = await writePublication(folder, { repository, version: '1.5.1', tags: '["1.4.0", "stable"]' });
  expect(await corral('publish', third.manifest)).toEqual({
    code: 4,
    stdout: '',
    stderr: 'The tag 1.4.0 is locked at the version 1.4.0: publish under another tag. Nothing was sent.\n',
  });
  expect(await corral('publish', third.manifest, '--plan')).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/1\.4\.0 +is locked at 1\.4\.0 and cannot move\n/),
  });
  expect(await assets()).toBe(before);
  expect(
    ((await corralJson('versions', 'list', packagePath)) as { versions: object[] }).versions,
  ).toHaveLength(2);
});

test('a plan says that the quota has no room for the files, and ends like the upload', async ({
  corral,
  operator,
  folder,
}) => {
  const first = await writePublication(folder);
  const { repository } = first;
  await corral('repositories', 'create', repository);
  await corral('publish', first.manifest);
  const [found] = (
    await operator.invoke('users_QueryUserRepositories', { userId: operator.userId })
  ).repositories.filter(({ name }) => name === repository);
  const repositoryId = found!.repositoryId;
  await operator.invoke('repositories_SetQuota', { repositoryId, maxBytes: 524_288 });
  const second = await writePublication(folder, { repository, version: '1.5.0' });
  const plan = await corral('publish', second.manifest, '--plan');
  expect(plan).toEqual({
    code: 1,
    stdout: expect.stringContaining(
      '293.0 KiB to send, which is more than the quota of the repository allows.',
    ),
    stderr:
      'The upload would be refused: the repository would have 586.0 KiB of at most 512.0 KiB. Delete assets that are no longer used, or ask an administrator for a larger quota.\n',
  });
  expect((await corral('publish', second.manifest)).code).toBe(plan.code);
  const same = await writePublication(folder, { repository, version: '1.6.0', bytes: first.bytes });
  expect((await corral('publish', same.manifest, '--plan')).code).toBe(0);
  await operator.invoke('repositories_SetQuota', { repositoryId, maxAssets: 3 });
  expect(await corral('publish', second.manifest, '--plan')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the repository would have 4 assets of at most 3.'),
  });
});

test('two runs at once make one version, and every later run finds it', async ({
  hub,
  corral,
  corralJson,
  cliEnv,
  folder,
}) => {
  const { repository, packagePath, manifest } = await writePublication(folder);
  await corral('repositories', 'create', repository);
  await corral('packages', 'create', packagePath);
  // Both have planned before either has created its version.
  const action = 'repositories_CreatePackageVersion';
  await using relay = await startGatheringRelay({ hubUrl: hub.url, action, count: 2 });
  const env = { ...cliEnv, CORRAL_URL: relay.url };
  const run = () => runProgram(process.execPath, [cliLauncher, '--json', 'publish', manifest], { env });
  const outcomes = (await Promise.all([run(), run()])).map(({ code, stdout }) => ({
    code,
    ...(JSON.parse(stdout || '{}') as { status?: string; versionId?: string }),
  }));
  const versionId = outcomes[0]?.versionId;
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['published', 'unchanged']));
  expect(outcomes).toMatchObject([
    { code: 0, versionId },
    { code: 0, versionId },
  ]);
  const listed = (await corralJson('versions', 'list', packagePath)) as { versions: object[] };
  expect(listed.versions).toMatchObject([{ versionId }]);
  expect(await corralJson('publish', manifest)).toMatchObject({ status: 'unchanged', versionId });
});

for (const [moment, action] of [
  ['before it has its files', 'repositories_AddPackageVersionAsset'],
  ['before it has its tags', 'repositories_TagPackageVersion'],
] as const)
  test(`the version of an interrupted run that somebody deletes ${moment}: publish plans again and makes another one`, async ({
    hub,
    operator,
    corral,
    corralJson,
    cliEnv,
    folder,
  }) => {
    const { repository, packagePath, manifest } = await writePublication(folder, { tags: '["stable"]' });
    await corral('repositories', 'create', repository);
    const { versionId } = (await corralJson('publish', manifest)) as { versionId: Id<'packageVersion'> };
    // An interrupted run leaves a version without tags that lacks files.
    await operator.invoke('repositories_UntagPackageVersion', { versionId, tags: [{ tag: 'stable' }] });
    await operator.invoke('repositories_RemovePackageVersionAsset', { versionId, filename: 'notes.txt' });
    let deleted = 0;
    const onGathered = async (): Promise<void> => {
      await operator.invoke('repositories_DeletePackageVersion', { versionId });
      deleted += 1;
    };
    await using relay = await startGatheringRelay({ hubUrl: hub.url, action, count: 1, onGathered });
    const env = { ...cliEnv, CORRAL_URL: relay.url };
    const outcome = await runProgram(process.execPath, [cliLauncher, '--json', 'publish', manifest], { env });
    expect([outcome.code, outcome.stderr, deleted]).toEqual([0, '', 1]);
    const published = JSON.parse(outcome.stdout) as { status: string; versionId: string };
    expect(published).toMatchObject({ status: 'published', sentBytes: 0 });
    expect(published.versionId).not.toBe(versionId);
    const { versions } = (await corralJson('versions', 'list', packagePath)) as { versions: object[] };
    expect(versions).toMatchObject([{ versionId: published.versionId }]);
    const made = (await corralJson('versions', 'show', `${packagePath}@stable`)) as Details;
    expect(made.versionId).toBe(published.versionId);
    expect(made.assets.map(({ filename }) => filename).toSorted()).toEqual(['notes.txt', 'press.img']);
    expect(await corralJson('publish', manifest)).toMatchObject({ status: 'unchanged' });
  });

test('two versions compare by files, sizes and metadata; equal files are sent once', async ({
  corral,
  corralJson,
  folder,
}) => {
  const first = await writePublication(folder);
  const { repository, packagePath, bytes } = first;
  await corral('repositories', 'create', repository);
  await corral('publish', first.manifest);
  const second = await writePublication(folder, { repository, version: '1.5.0', bytes });
  const published = await corral('publish', second.manifest, '--metadata', 'commit="5b3c"', '--tag', 'beta');
  expect(published.stdout).toMatch(/press\.img, 293\.0 KiB: deduplicated\n/);
  const compared = await corralJson('versions', 'compare', `${packagePath}@stable~1`, `${packagePath}@beta`);
  expect(compared).toMatchObject({
    files: [
      { filename: 'notes.txt', change: 'Changed' },
      { filename: 'press.img', change: 'Same' },
    ],
    metadata: [{ key: 'commit', from: '4f2a', to: '5b3c' }],
    bytesToFetch: 15,
  });
  const text = (await corral('versions', 'compare', `${packagePath}@stable~1`, `${packagePath}@beta`)).stdout;
  expect(text).toContain('A device that has the first fetches 15 B of ');
  expect(text).toMatch(/METADATA +FROM +TO\ncommit +"4f2a" +"5b3c"\n$/);
});

test('a wrong manifest is a sentence with the line, exit 2, and the hub hears nothing', async ({
  corral,
  corralJson,
  folder,
}) => {
  const { repository, manifest } = await writePublication(folder);
  await corral('repositories', 'create', repository);
  const good = await readFile(manifest, 'utf8');
  for (const [line, sentence] of [
    ['files = ["a.img"]', 'line 6: there is no file "a.img".'],
    ['files = ["*.iso"]', 'line 6: no file matches "*.iso".'],
    [
      'fles = ["*.img"]',
      'line 6: "fles" is no key here; the keys are repository, package, kind, version, tags, metadata, files.',
    ],
    ['files = ["*.img", "press.img"]', 'line 6: "press.img" is there twice: give one of them another name.'],
  ] as const) {
    await writeFile(manifest, good.replace(/^files = .*$/m, line));
    expect(await corral('publish', manifest)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${manifest}, ${sentence}\n`,
    });
  }
  expect(await corralJson('repositories', 'show', repository)).toMatchObject({
    packageCount: 0,
    assetCount: 0,
  });
  await writeFile(manifest, good.replace(repository, `${repository}-x`));
  expect(await corral('publish', manifest)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^There is no repository .*: create it with `corral repositories create ".*"`\.\n$/,
    ),
  });
});

test('`corral versions upload` and `corral assets`: upload, list, show, download, verify, delete', async ({
  corral,
  corralJson,
  folder,
}) => {
  const { repository, packagePath, image, bytes } = await writePublication(folder);
  await corral('repositories', 'create', repository);
  const { files } = (await corralJson('assets', 'upload', repository, image)) as {
    files: { assetId: string }[];
  };
  const assetId = files[0]?.assetId ?? '';
  expect((await corral('assets', 'list', repository)).stdout).toMatch(
    new RegExp(
      `^CREATED +SIZE +STATE +FILES +ASSET +DIGEST\n.* 293\\.0 KiB +available +0 +${assetId} +sha256_\\w{64}\n$`,
    ),
  );
  await corral('packages', 'create', packagePath);
  const { versionId } = (await corralJson('versions', 'create', packagePath)) as Details;
  for (let time = 0; time < 2; time += 1)
    expect(await corral('versions', 'upload', versionId, image)).toMatchObject({
      code: 0,
      stdout: '✓ press.img: deduplicated\n',
    });
  const other = await writePublication(folder);
  const notes = join(dirname(image), 'notes.txt');
  expect(await corral('versions', 'upload', versionId, notes, other.image)).toEqual({
    code: 4,
    stdout: '',
    stderr: 'The version has another file "press.img" already: rename yours, or remove that one.\n',
  });
  expect(await corral('versions', 'upload', versionId, image, other.image)).toMatchObject({
    code: 2,
    stderr: 'Several files are called "press.img": rename one of them.\n',
  });
  expect(await corralJson('repositories', 'show', repository)).toMatchObject({ assetCount: 1 });
  expect((await corral('assets', 'show', assetId)).stdout).toMatch(/\nFiles +press\.img of press /);
  expect(await corral('assets', 'delete', assetId, '--yes')).toMatchObject({ code: 4 });
  const target = join(dirname(image), 'copy.img');
  expect((await corral('assets', 'download', assetId, target)).code).toBe(0);
  expect((await readFile(target)).equals(bytes)).toBe(true);
  expect((await corral('assets', 'verify', assetId, target)).code).toBe(0);
  expect((await corral('assets', 'verify', assetId, join(dirname(image), 'notes.txt'))).code).toBe(5);
  expect((await corral('versions', 'remove-file', versionId, 'press.img')).code).toBe(0);
  expect((await corral('assets', 'delete', assetId, '--yes')).stdout).toBe('✓ The asset is deleted.\n');
});

test('a device of a linked project pulls, one of another project finds nothing', async ({
  corral,
  folder,
  project,
  connected,
}) => {
  const { repository, packagePath, manifest, bytes } = await writePublication(folder);
  await corral('repositories', 'create', repository);
  await corral('publish', manifest);
  const output = ['--output', join(folder, 'x')];
  const pull = () =>
    connected.device.attempt('repositories', 'pull', `${packagePath}@stable`, 'press.img', ...output);
  expect(await pull()).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no version ${packagePath}@stable that this device may fetch.\n`,
  });
  await corral('repositories', 'link', repository, project.name);
  expect(await pull()).toMatchObject({ code: 0, stderr: '' });
  expect((await readFile(join(folder, 'x'))).equals(bytes)).toBe(true);
  const url = await connected.device.call('repositories', 'issue-url', `${packagePath}/stable/press.img`);
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(bytes.length);
  const before = `${packagePath}/stable~1/press.img`;
  expect(await connected.device.attempt('repositories', 'issue-url', before)).toMatchObject({ code: 1 });
});
