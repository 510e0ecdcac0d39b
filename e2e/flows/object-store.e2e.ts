import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLineOf, type CommandLine } from '../fixtures/command-line.ts';
import { newProject, newToken, uniqueName } from '../fixtures/operator.ts';
import { type Outcome } from '../fixtures/program.ts';
import { writePublication } from '../fixtures/publication.ts';
import { expect, test as base } from '../fixtures/test.ts';

const mib = 1_048_576;

interface Parts {
  /** A user of the hub with its store, both over TLS, and the command line. */
  readonly stored: CommandLine;
}

const test = base.extend<Parts>({
  stored: async ({ s3Hub, folder }, use) => {
    const stored = await commandLineOf(s3Hub, folder, { SSL_CERT_FILE: s3Hub.authorityFile });
    await use(stored);
    await stored.end();
  },
});

// One after the other, so that one hub serves both.
test.describe.configure({ mode: 'default' });

test('[needs Go] publish, pull and the pull of a device with an S3-compatible store, all over TLS', async ({
  s3Hub,
  stored: { operator, run: corral, json },
  folder,
  devices,
}) => {
  // Above 32 MiB, so that it is sent in the resumable way.
  const { repository, packagePath, manifest, image, bytes } = await writePublication(folder, {
    sizeBytes: 34 * mib,
    tags: '["stable"]',
  });
  const project = await newProject(operator);
  const { token } = await newToken(operator, project);
  await corral('repositories', 'create', repository);
  await corral('repositories', 'link', repository, project.name);
  expect(await json('publish', manifest)).toMatchObject({ status: 'published' });
  expect(await json('publish', manifest)).toMatchObject({ status: 'unchanged' });
  const { assets } = await operator.invoke('repositories_QueryRepositoryAssets', {
    repositoryId: ((await json('repositories', 'show', repository))['repositoryId'] ??
      '') as `repo_${string}`,
  });
  for (const { assetId, status } of assets) {
    expect(status).toBe('Available');
    const { url } = await operator.invoke('repositories_IssueAssetDownloadUrl', { assetId });
    expect(new URL(url).origin).toBe(s3Hub.storeUrl);
  }

  const target = join(folder, 'by-cli.img');
  expect(await corral('pull', `${packagePath}@stable`, 'press.img', '--output', target)).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect((await readFile(target)).equals(bytes)).toBe(true);

  const device = await devices.make(s3Hub, token, { SSL_CERT_FILE: s3Hub.authorityFile });
  const pulled = join(folder, 'by-device.img');
  const pull = ['repositories', 'pull', `${packagePath}@stable`, 'press.img', '--output', pulled];
  expect(await device.attempt(...pull)).toMatchObject({ code: 0, stderr: '' });
  expect((await readFile(pulled)).equals(bytes)).toBe(true);

  // The next version differs in one MiB, which is all that is fetched.
  await writeFile(
    image,
    Buffer.concat([bytes.subarray(0, 9 * mib), randomBytes(mib), bytes.subarray(10 * mib)]),
  );
  await json('publish', manifest, '--name', '1.5.0', '--tag', 'next');
  const next = join(folder, 'next.img');
  const fetchNext = ['repositories', 'pull', `${packagePath}@next`, 'press.img', '--output', next];
  const delta = await device.attempt(...fetchNext, '--from', pulled);
  expect(delta).toMatchObject({ code: 0, stdout: `${next}: ${mib} bytes fetched\n` });
  expect((await readFile(next)).equals(await readFile(image))).toBe(true);
});

test(
  '[needs Go] every command of repositories, packages, versions and assets with an S3-compatible store',
  { tag: '@deep' },
  async ({ stored: { operator, run: corral, json }, folder }) => {
    const used = new Set<string>();
    const run = async (...args: string[]) => {
      used.add(args.slice(0, 2).join(' '));
      return json(...args);
    };
    const repository = uniqueName('stored');
    const path = `${repository}/press`;
    const project = await newProject(operator);
    const image = join(folder, 'press.img');
    const copy = join(folder, 'copy.img');
    await writeFile(image, randomBytes(2 * mib));

    const { repositoryId } = await run('repositories', 'create', repository);
    await run('repositories', 'link', repository, project.name);
    await run('packages', 'create', path);
    await run('packages', 'set-metadata', path, '{ "board": "GX-200" }');
    await run('packages', 'upload', path, image);
    expect(await run('packages', 'files', path)).toMatchObject({ files: [{ filename: 'press.img' }] });
    await run('packages', 'remove-file', path, 'press.img');
    const { versionId } = await run('versions', 'create', path, '--name', '1.0');
    const version = String(versionId);
    await run('versions', 'upload', version, image);
    await run('versions', 'set-metadata', version, '{ "commit": "4f2a" }');
    await run('versions', 'tag', version, 'stable', 'beta');
    const second = String((await run('versions', 'create', path))['versionId']);
    await run('versions', 'rename', second, '1.1');
    await run('versions', 'tag', second, 'stable');
    const { assets } = (await run('assets', 'list', repository)) as { assets: [{ assetId: string }] };
    const { assetId } = assets[0];

    const [compared, shown, described, moved] = await Promise.all([
      run('versions', 'compare', second, version),
      run('versions', 'show', `${path}@stable~1`),
      run('packages', 'show', path),
      run('packages', 'history', path),
      run('versions', 'list', path),
      run('packages', 'list', repository),
      run('repositories', 'list'),
      run('repositories', 'show', repository),
      run('repositories', 'projects', repository),
      run('repositories', 'quota', repository),
      run('assets', 'show', assetId),
      run('assets', 'verify', assetId, image),
      run('versions', 'verify', version, image),
      run('assets', 'download', assetId, copy),
      run('versions', 'download', version, 'press.img', '--output', join(folder, 'again.img')),
    ]);
    expect(compared).toMatchObject({ bytesToFetch: 2 * mib });
    expect(shown).toMatchObject({ versionId: version, metadata: { commit: '4f2a' } });
    expect(described).toMatchObject({ versionCount: 2, metadata: { board: 'GX-200' } });
    expect(moved['moves']).toHaveLength(3);
    for (const file of [copy, join(folder, 'again.img')])
      expect((await readFile(file)).equals(await readFile(image))).toBe(true);

    await run('versions', 'untag', second, 'stable');
    await run('versions', 'delete', second, '--yes');
    await run('versions', 'remove-file', version, 'press.img');
    await run('assets', 'delete', assetId, '--yes');
    await run('assets', 'upload', repository, image);
    await run('packages', 'rename', path, 'press-2');
    await run('versions', 'lock', version, 'beta');
    await run('packages', 'create', `${repository}/other`);
    await run('packages', 'delete', `${repository}/other`, '--yes');
    await run('repositories', 'unlink', repository, project.name);
    await run('repositories', 'visibility', repository, 'public', '--yes');
    await run('repositories', 'rename', repository, `${repository}-2`);
    await run('repositories', 'delete', String(repositoryId), '--yes');

    for (const group of ['repositories', 'packages', 'versions', 'assets'])
      for (const command of await commandsOf(corral, group)) expect(used).toContain(`${group} ${command}`);
  },
);

/** The names of the commands of a group, by its help. */
async function commandsOf(corral: (...args: string[]) => Promise<Outcome>, group: string): Promise<string[]> {
  const { stdout } = await corral(group, '--help');
  const [, listed = ''] = stdout.split('Commands:\n');
  const names = [...listed.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name ?? '');
  return names.filter((name) => name !== 'help');
}
