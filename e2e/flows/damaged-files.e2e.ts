import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from '../fixtures/command-line.ts';
import { damageStored } from '../fixtures/damage.ts';
import { newProject, newToken } from '../fixtures/operator.ts';
import { writePublication } from '../fixtures/publication.ts';
import { newRepository, publish } from '../fixtures/repository.ts';
import { chooseFiles, uploadOf } from '../fixtures/uploads.ts';

interface Files {
  readonly assets: { filename: string; digest: string; storage: { status: string } }[];
}

/** The state of stored files by their names. */
const statesOf = ({ assets }: Files) =>
  Object.fromEntries(assets.map(({ filename, storage }) => [filename, storage.status]));

test('publishing again repairs damaged files, sends nothing else, and moves no tag', async ({
  hub,
  corral,
  corralJson,
  folder,
}) => {
  const { repository, packagePath, manifest, bytes } = await writePublication(folder);
  await corral('repositories', 'create', repository);
  await corral('publish', manifest);
  const show = async () => (await corralJson('versions', 'show', `${packagePath}@stable`)) as Files;
  const { assets } = await show();
  await damageStored(
    hub,
    assets.flatMap(({ filename, digest }) => (filename === 'press.img' ? [digest] : [])),
  );
  expect(statesOf(await show())).toMatchObject({ 'press.img': 'Mismatched', 'notes.txt': 'Verified' });

  expect(await corralJson('publish', manifest, '--plan')).toMatchObject({
    status: 'planned',
    bytesToSend: bytes.length,
    tags: [{ change: 'stays' }, { change: 'stays' }],
  });
  const repaired = await corral('publish', manifest);
  expect(repaired.stdout).toMatch(
    / is published as pkg_v_\w+, 293\.0 KiB sent\.\n {2}press\.img, 293\.0 KiB: uploaded\n {2}notes\.txt, 15 B: deduplicated\n$/,
  );
  expect(statesOf(await show())).toEqual({ 'press.img': 'Verified', 'notes.txt': 'Verified' });
  const target = join(folder, 'pulled.img');
  expect((await corral('pull', `${packagePath}@stable`, 'press.img', '--output', target)).code).toBe(0);
  expect((await readFile(target)).equals(bytes)).toBe(true);
  expect(await corralJson('publish', manifest)).toMatchObject({ status: 'unchanged' });
  const { versions } = (await corralJson('versions', 'list', packagePath)) as { versions: object[] };
  expect(versions).toHaveLength(1);
});

test('uploading the same file again repairs it at a version and at a package', async ({
  hub,
  corral,
  corralJson,
  folder,
}) => {
  const { repository, packagePath, image } = await writePublication(folder);
  const manual = join(folder, 'manual.pdf');
  await writeFile(manual, randomBytes(5_000));
  await corral('repositories', 'create', repository);
  await corral('packages', 'create', packagePath);
  const { versionId } = (await corralJson('versions', 'create', packagePath)) as { versionId: string };
  const owners = [
    ['versions', versionId, image],
    ['packages', packagePath, manual],
  ] as const;
  const show = async () =>
    (await Promise.all(owners.map(([group, path]) => corralJson(group, 'show', path)))) as Files[];
  for (const owner of owners) expect((await corral(owner[0], 'upload', owner[1], owner[2])).code).toBe(0);
  await damageStored(
    hub,
    (await show()).flatMap(({ assets }) => assets.map(({ digest }) => digest)),
  );
  const states = (state: string) => [{ 'press.img': state }, { 'manual.pdf': state }];
  expect((await show()).map(statesOf)).toEqual(states('Mismatched'));
  for (const [group, path, file] of owners)
    expect(await corral(group, 'upload', path, file)).toMatchObject({
      code: 0,
      stdout: `✓ ${basename(file)}: uploaded\n`,
    });
  expect((await show()).map(statesOf)).toEqual(states('Verified'));
});

test('pulling a file that the hub knows to be damaged ends at once, on a computer and on a device: exit 5, no file', async ({
  hub,
  corral,
  corralJson,
  operator,
  devices,
  folder,
}) => {
  const { repository, packagePath, manifest } = await writePublication(folder);
  const project = await newProject(operator);
  const { token } = await newToken(operator, project);
  await corral('repositories', 'create', repository);
  await corral('publish', manifest);
  await corral('repositories', 'link', repository, project.name);
  const { assets } = (await corralJson('versions', 'show', `${packagePath}@stable`)) as Files;
  await damageStored(
    hub,
    assets.flatMap(({ filename, digest }) => (filename === 'press.img' ? [digest] : [])),
  );
  const target = join(folder, 'pulled.img');
  const what = [`${packagePath}@stable`, 'press.img', '--output', target];
  const sentence =
    'The stored bytes of this asset are missing or damaged. Upload the same file again to repair it.';
  // Nothing else: each further attempt would write a line before it.
  const refused = { code: 5, stdout: '', stderr: `${sentence}\n` };
  expect(await corral('pull', ...what)).toEqual(refused);
  const device = await devices.make(hub, token);
  expect(await device.attempt('repositories', 'pull', ...what)).toEqual(refused);
  await expect(readFile(target)).rejects.toThrow('ENOENT');
});

test('choosing the same file again in the browser repairs it', async ({
  signedIn: page,
  operator,
  hub,
  folder,
}) => {
  const { versionId, path } = await publish(operator, await newRepository(operator), { package: 'press' });
  const image = join(folder, 'press.img');
  await writeFile(image, randomBytes(300_000));
  const details = () => operator.invoke('repositories_GetPackageVersionDetails', { versionId });
  await page.goto(path);
  await chooseFiles(page, image);
  await expect(uploadOf(page, 'press.img').getByText('Added', { exact: true })).toBeVisible();
  await damageStored(
    hub,
    (await details()).assets.map(({ digest }) => digest),
  );
  await page.reload();
  const row = page.getByRole('table', { name: 'Files' }).getByRole('row', { name: /press\.img/ });
  await expect(row.getByText('Damaged')).toBeVisible();
  await chooseFiles(page, image);
  await expect(
    uploadOf(page, 'press.img').getByText('Repaired: the stored bytes were missing or damaged'),
  ).toBeVisible();
  await expect(row.getByText('Damaged')).toHaveCount(0);
  expect(statesOf((await details()) as Files)).toEqual({ 'press.img': 'Verified' });
});
