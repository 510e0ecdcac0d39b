import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliLauncher, expect, test } from '../fixtures/command-line.ts';
import { newProject, newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { runProgram } from '../fixtures/program.ts';
import { newRepository } from '../fixtures/repository.ts';

test('`corral repositories` creates, lists, shows, renames, publishes and deletes', async ({
  corral,
  corralJson,
}) => {
  const name = uniqueName('firmware');
  expect((await corral('repositories', 'create', name)).stdout).toMatch(
    new RegExp(`^✓ ${name} is created: repo_\\w{22}\n$`),
  );
  expect(await corral('repositories', 'create', name)).toEqual({
    code: 4,
    stdout: '',
    stderr: `There is a repository "${name}" already.\n`,
  });
  expect((await corral('repositories', 'list')).stdout).toMatch(
    new RegExp(
      `^NAME +VISIBILITY +YOU ARE +PACKAGES +SIZE +REPOSITORY\n(?:.*\n)*${name} +Private +owner +0 +0 B +repo_`,
    ),
  );
  const { repositoryId } = (await corralJson('repositories', 'show', name)) as { repositoryId: string };
  expect((await corral('repositories', 'show', repositoryId)).stdout).toMatch(
    new RegExp(`^Name +${name}\nRepository +${repositoryId}\nVisibility +Private\nPackages +0\nAssets +0\n`),
  );
  expect((await corral('repositories', 'visibility', name, 'public', '--yes')).stdout).toBe(
    `✓ ${name} is public.\n`,
  );
  expect(await corralJson('repositories', 'show', name)).toMatchObject({ visibility: 'Public' });
  expect((await corral('repositories', 'rename', name, `${name}-2`)).code).toBe(0);
  expect(await corral('repositories', 'show', name)).toMatchObject({
    code: 1,
    stderr: `There is no repository "${name}" that you can access: see \`corral repositories list\`.\n`,
  });
  expect((await corral('repositories', 'delete', `${name}-2`, '--yes')).stdout).toBe(
    `✓ ${name}-2 is deleted.\n`,
  );
  expect((await corral('repositories', 'show', repositoryId)).code).toBe(1);
});

test('deleting asks first: without an answer, and with any but yes, nothing is changed', async ({
  corral,
  corralJson,
  cliEnv,
}) => {
  const name = uniqueName('asked');
  await corral('repositories', 'create', name);
  expect(await corral('repositories', 'delete', name)).toMatchObject({
    code: 2,
    stderr: 'There was no answer, and nothing was changed.\n',
  });
  const answered = async (answer: string) => {
    const command = `echo ${answer} | '${process.execPath}' '${cliLauncher}' repositories delete ${name}`;
    return runProgram('/bin/sh', ['-c', command], { env: cliEnv });
  };
  expect(await answered('perhaps')).toMatchObject({ code: 1, stderr: 'Nothing was changed.\n' });
  expect(await corralJson('repositories', 'show', name)).toMatchObject({ name });
  expect(await answered('yes')).toMatchObject({ code: 0, stdout: `✓ ${name} is deleted.\n` });
});

test('`corral repositories link`, `projects` and `unlink`', async ({ corral, corralJson, project }) => {
  const name = uniqueName('linked');
  await corral('repositories', 'create', name);
  expect((await corral('repositories', 'projects', name)).stdout).toBe(
    'The repository is linked to no project.\n',
  );
  expect((await corral('repositories', 'link', name, project.name)).code).toBe(0);
  expect(await corralJson('repositories', 'projects', name)).toEqual({
    projects: [{ projectId: project.projectId, name: project.name, devices: 0, isConfirmed: true }],
  });
  expect((await corral('repositories', 'unlink', name, project.projectId)).code).toBe(0);
  expect(await corralJson('repositories', 'projects', name)).toEqual({ projects: [] });
});

test('`corral repositories unlink` ends a link to a project that is none of the owner, by its name', async ({
  corral,
  corralJson,
  operator,
}) => {
  const [name, projectName] = [uniqueName('shared'), uniqueName('foreign')];
  const { repositoryId } = await newRepository(operator, name);
  const { userId } = await newUser(operator);
  const { projectId } = await operator.invoke('projects_CreateProject', { name: projectName, owner: userId });
  await operator.invoke('projects_AddProjectRepository', { projectId, repositoryId });
  expect((await corral('repositories', 'unlink', name, projectName)).code).toBe(0);
  expect(await corralJson('repositories', 'projects', name)).toEqual({ projects: [] });
  expect(await corral('repositories', 'unlink', name, projectName)).toMatchObject({
    code: 1,
    stderr: `There is no project "${projectName}" among those that the repository is linked to.\n`,
  });
});

test('`corral repositories quota` shows what administrators set, and sets nothing with the token of a user', async ({
  corral,
  operator,
}) => {
  const name = uniqueName('measured');
  const { repositoryId } = await newRepository(operator, name);
  await operator.invoke('repositories_SetQuota', { repositoryId, maxBytes: 53_687_091_200 });
  const shown = await corral('repositories', 'quota', name);
  expect(shown).toEqual({
    code: 0,
    stdout: 'Size    0 B, of 50.0 GiB\nAssets  0, no limit\n',
    stderr: '',
  });
  expect(await corral('repositories', 'quota', name, '--size', '1GiB', '--assets', 'none')).toMatchObject({
    code: 3,
    stderr: 'Forbidden: Only administrators may do this.\n',
  });
  expect((await corral('repositories', 'quota', name)).stdout).toBe(shown.stdout);
  expect(await corral('repositories', 'quota', name, '--size', 'much')).toMatchObject({ code: 2 });
});

test('`corral repositories quota` sets and removes quotas with the token of an administrator', async ({
  cliEnv,
  hub,
  operator,
}) => {
  const name = uniqueName('measured');
  const { repositoryId } = await newRepository(operator, name);
  const { userId } = operator;
  const { token } = await operator.invoke('users_CreateUserToken', { userId, administrator: true });
  const env = { ...cliEnv, CORRAL_URL: hub.url, CORRAL_TOKEN: token };
  const quota = (...options: string[]) =>
    runProgram(process.execPath, [cliLauncher, 'repositories', 'quota', name, ...options], { env });
  const quotas = async () => {
    const { maxBytes, maxAssets } = await operator.invoke('repositories_GetRepositoryDetails', {
      repositoryId,
    });
    return { maxBytes, maxAssets };
  };
  expect(await quota('--size', '1.5TiB', '--assets', '10000')).toEqual({
    code: 0,
    stdout: 'Size    0 B, of 1.5 TiB\nAssets  0, of 10000\n',
    stderr: '',
  });
  expect(await quotas()).toEqual({ maxBytes: 1_649_267_441_664, maxAssets: 10_000 });
  expect((await quota('--size', 'none')).stdout).toBe('Size    0 B, no limit\nAssets  0, of 10000\n');
  expect(await quotas()).toEqual({ maxBytes: undefined, maxAssets: 10_000 });
});

test('`corral packages` and their metadata', async ({ corral, corralJson }) => {
  const repository = uniqueName('packed');
  await corral('repositories', 'create', repository);
  expect((await corral('packages', 'list', repository)).stdout).toBe('The repository has no packages yet.\n');
  expect((await corral('packages', 'create', `${repository}/press`, '--kind', 'rugix')).code).toBe(0);
  expect(await corral('packages', 'create', `${repository}/press`)).toMatchObject({ code: 4 });
  expect((await corral('packages', 'list', repository)).stdout).toMatch(
    /^NAME +KIND +VERSIONS +NEWEST +CREATED +PACKAGE\npress +rugix +0 +pkg_\w+\n$/,
  );
  await corral('packages', 'rename', `${repository}/press`, 'press-controller');
  const { packageId } = (await corralJson('packages', 'show', `${repository}/press-controller`)) as {
    packageId: string;
  };
  expect((await corral('packages', 'show', packageId)).stdout).toMatch(
    /^Name +press-controller\nPackage +pkg_\w+\nKind +rugix\nVersions +0\n/,
  );
  expect(await corral('packages', 'show', `${repository}/press`)).toMatchObject({
    code: 1,
    stderr: `There is no package "${repository}/press" that you can access: see \`corral packages list ${repository}\`.\n`,
  });
  expect((await corral('packages', 'set-metadata', packageId, '{ "board": "GX-200" }')).stdout).toBe(
    '✓ The metadata is set.\n',
  );
  expect(await corralJson('packages', 'show', packageId)).toMatchObject({ metadata: { board: 'GX-200' } });
  expect(await corral('packages', 'set-metadata', packageId, '[1]')).toMatchObject({
    code: 2,
    stderr: 'The metadata must be a JSON object.\n',
  });
  expect((await corral('packages', 'delete', packageId, '--yes')).code).toBe(0);
});

test('`corral packages`: files of a package itself are uploaded, listed and removed', async ({
  corral,
  corralJson,
  folder,
}) => {
  const path = `${uniqueName('documented')}/press`;
  await corral('repositories', 'create', path.split('/')[0] ?? '');
  await corral('packages', 'create', path);
  expect((await corral('packages', 'files', path)).stdout).toBe('The package has no files of its own.\n');
  const [manual, key, other] = [
    join(folder, 'manual.pdf'),
    join(folder, 'key.pem'),
    join(folder, 'other', 'key.pem'),
  ];
  await mkdir(join(folder, 'other'));
  await writeFile(manual, 'How to oil the press.');
  await writeFile(key, 'A public key.');
  await writeFile(other, 'Another key.');
  for (const status of ['uploaded', 'deduplicated'])
    expect(await corral('packages', 'upload', path, manual, key)).toEqual({
      code: 0,
      stdout: `✓ manual.pdf: ${status}\n✓ key.pem: ${status}\n`,
      stderr: '',
    });
  expect(await corral('packages', 'upload', path, other)).toMatchObject({
    code: 4,
    stderr: 'The package has another file "key.pem" already: rename yours, or remove that one.\n',
  });
  expect(await corral('packages', 'upload', path, join(folder, 'gone.pdf'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/gone\.pdf" cannot be read: it is not there\.\n$/),
  });
  const { packageId, files } = (await corralJson('packages', 'files', path)) as {
    packageId: string;
    files: { filename: string; assetId: string; digest: string }[];
  };
  expect(files.map(({ filename }) => filename)).toEqual(['key.pem', 'manual.pdf']);
  expect((await corral('packages', 'files', packageId)).stdout).toMatch(
    new RegExp(
      `^FILE +SIZE +STATE +ASSET +DIGEST\nkey\\.pem +13 B +available +${files[0]?.assetId} +${files[0]?.digest}\nmanual\\.pdf +21 B `,
    ),
  );
  expect((await corral('packages', 'remove-file', path, 'key.pem')).stdout).toBe('✓ key.pem is removed.\n');
  expect(await corral('packages', 'remove-file', path, 'key.pem')).toMatchObject({ code: 1 });
  expect((await corral('packages', 'show', path)).stdout).toMatch(/\nFiles +manual\.pdf, 21 B\n$/);
});

test('`corral versions`: tags move, have a history and can be locked', async ({ corral, corralJson }) => {
  const path = `${uniqueName('tagged')}/press`;
  await corral('repositories', 'create', path.split('/')[0] ?? '');
  await corral('packages', 'create', path);
  const create = async (name: string): Promise<string> =>
    ((await corralJson('versions', 'create', path, '--name', name)) as { versionId: string }).versionId;
  const [first, second] = [await create('1.0'), await create('1.1')];
  expect((await corral('versions', 'tag', first, 'stable', 'v1')).stdout).toBe(
    `✓ stable points at ${first}\n✓ v1 points at ${first}\n`,
  );
  expect((await corral('versions', 'tag', second, 'stable')).code).toBe(0);
  const idOf = async (reference: string) =>
    ((await corralJson('versions', 'show', `${path}@${reference}`)) as { versionId: string }).versionId;
  expect([await idOf('stable'), await idOf('stable~1'), await idOf('v1')]).toEqual([second, first, first]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await idOf(`stable@${today}`)).toBe(second);
  expect(await corral('versions', 'show', `${path}@stable@2020-01-01`)).toMatchObject({ code: 1 });

  expect(await corral('versions', 'tag', first, 'stable', '--no-move')).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^Invalid: /),
  });
  expect((await corral('versions', 'lock', `${path}@v1`, 'v1')).stdout).toBe(`✓ v1 is locked at ${first}\n`);
  for (const args of [
    ['tag', second, 'v1'],
    ['untag', first, 'v1'],
    ['delete', first, '--yes'],
  ])
    expect(await corral('versions', ...args)).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/^Invalid: .*locked/),
    });
  expect(await corral('packages', 'delete', path, '--yes')).toMatchObject({ code: 4 });

  expect((await corral('versions', 'list', path)).stdout).toMatch(
    new RegExp(
      `^NAME +CREATED +TAGS +VERSION\n1\\.1 .* stable +${second}\n1\\.0 .* v1 \\(locked\\) +${first}\n$`,
    ),
  );
  const { moves } = (await corralJson('packages', 'history', path, '--tag', 'stable')) as { moves: object[] };
  expect(moves).toMatchObject([
    { tag: 'stable', from: { versionId: first }, to: { versionId: second } },
    { tag: 'stable', to: { versionId: first } },
  ]);
  expect((await corral('packages', 'history', path)).stdout).toMatch(
    /^WHEN +TAG +FROM +TO +LOCKED +BY\n(?:.*\n)*\S+ \S+Z +stable +1\.0 +1\.1 +no +u_\w+\n/,
  );
  expect((await corral('versions', 'untag', second, 'stable')).code).toBe(0);
  expect((await corral('versions', 'rename', second, '1.2')).stdout).toBe('✓ It is called 1.2 now.\n');
  expect((await corral('versions', 'delete', second, '--yes')).stdout).toBe('✓ 1.2 is deleted.\n');
});

test('a repository that is not shared looks like one that does not exist', async ({
  hub,
  operator,
  corral,
}) => {
  const name = uniqueName('hidden');
  await corral('repositories', 'create', name);
  const stranger = await newUser(operator);
  const session = await signInByApi(hub, stranger);
  await newProject(session);
  const { token } = await session.invoke('users_CreateUserToken', { userId: stranger.userId, name: 'cli' });
  const env = { CORRAL_URL: hub.url, CORRAL_TOKEN: token };
  const show = (given: string) =>
    runProgram(process.execPath, [cliLauncher, 'repositories', 'show', given], { env });
  const hidden = await show(name);
  const missing = await show(`${name}-x`);
  expect(hidden.stderr).toBe(missing.stderr.replace(`${name}-x`, name));
  expect(hidden.code).toBe(1);
});
