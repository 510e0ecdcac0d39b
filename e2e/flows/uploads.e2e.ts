import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Operator } from '../fixtures/operator.ts';
import { newRepository, publish, type PublishedVersion } from '../fixtures/repository.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';
import { chooseFiles, uploadOf, uploadsOf } from '../fixtures/uploads.ts';

const mib = 1_048_576;

/** A file on disk, as a user has it. */
async function fileIn(folder: string, name: string, bytes: Buffer) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, name, digest: `sha256_${createHash('sha256').update(bytes).digest('hex')}` };
}

/** Drops a file onto the table. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const table = page.getByRole('table', { name: 'Files' });
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name));
      return transfer;
    },
    { name, text },
  );
  await table.dispatchEvent('dragenter', { dataTransfer });
  await expect(page.getByText('Drop files to upload them')).toBeVisible();
  await table.dispatchEvent('drop', { dataTransfer });
  await expect(page.getByText('Drop files to upload them')).toHaveCount(0);
}

/** The digests of the files of a version, by their names, all of whose bytes are stored. */
async function filesOf(operator: Operator, { versionId }: PublishedVersion) {
  const { assets } = await operator.invoke('repositories_GetPackageVersionDetails', { versionId });
  expect(assets.every(({ status }) => status === 'Available')).toBe(true);
  return Object.fromEntries(assets.map(({ filename, digest }) => [filename, digest]));
}

test('files are uploaded in the browser: several at once, known bytes are not sent, another file of the same name is refused', async ({
  signedIn: page,
  operator,
  folder,
}) => {
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  const [image, notes] = [
    await fileIn(folder, 'press.img', randomBytes(40 * mib)),
    await fileIn(folder, 'notes.txt', Buffer.from('Better bearings.')),
  ];
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.url());
  });
  await page.goto(version.path);
  await expect(
    page.getByText(
      'Files are attached to a version through the CLI. You can also upload them here, or drop them on this list.',
    ),
  ).toBeVisible();
  await chooseFiles(page, image.path, notes.path);
  for (const { name } of [image, notes]) {
    await expect(uploadOf(page, name).getByText('Added', { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('table', { name: 'Files' }).getByText(name)).toBeVisible();
  }
  expect(await filesOf(operator, version)).toEqual({
    [image.name]: image.digest,
    [notes.name]: notes.digest,
  });
  // 32 MiB and 8 MiB, and the notes.
  expect(sent.length).toBe(3);
  await chooseFiles(page, image.path);
  await expect(uploadsOf(page).getByText('This version has the same file already')).toBeVisible();
  await drop(page, 'copy.img', 'Better bearings.');
  const other = await fileIn(folder, 'notes.txt', Buffer.from('Other notes.'));
  await chooseFiles(page, other.path);
  await expect(uploadsOf(page).getByText('Added; the repository had these bytes already')).toBeVisible();
  await expect(uploadsOf(page).getByRole('alert')).toContainText(
    'This version has another file of this name.',
  );
  expect(sent.length).toBe(3);
  await page.getByRole('button', { name: 'Remove notes.txt from this list' }).last().click();
  await expect(uploadsOf(page).getByRole('alert')).toHaveCount(0);
  expect((await filesOf(operator, version))[notes.name]).toBe(notes.digest);
});

test('files of a package itself are uploaded and dropped in the same way', async ({
  signedIn: page,
  operator,
  folder,
}) => {
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  const manual = await fileIn(folder, 'manual.pdf', randomBytes(2 * mib));
  await page.goto(version.packagePath);
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await expect(
    page.getByText(
      'A package itself can have files that are the same for all versions, such as a manual or a public key. Upload them here, or drop them on this list.',
    ),
  ).toBeVisible();
  await chooseFiles(page, manual.path);
  await expect(uploadOf(page, manual.name).getByText('Added', { exact: true })).toBeVisible();
  await drop(page, 'key.pem', 'A public key.');
  await expect(uploadOf(page, 'key.pem').getByText('Added', { exact: true })).toBeVisible();
  await drop(page, 'manual.pdf', 'Another manual.');
  await expect(uploadsOf(page).getByRole('alert')).toHaveText(
    'This package has another file of this name. Rename yours, or remove the other one first.',
  );
  await chooseFiles(page, manual.path);
  await expect(uploadsOf(page).getByText('This package has the same file already')).toBeVisible();
  const { packageId } = version;
  const { assets } = await operator.invoke('repositories_GetPackageDetails', { packageId });
  expect(assets.map(({ filename, status }) => [filename, status])).toEqual([
    ['key.pem', 'Available'],
    ['manual.pdf', 'Available'],
  ]);
  expect(await filesOf(operator, version)).toEqual({});
  await page.getByRole('button', { name: 'View manual.pdf' }).click();
  const drawer = page.getByRole('dialog', { name: 'manual.pdf' });
  await expect(drawer.getByRole('link', { name: 'press, the package itself' })).toHaveAttribute(
    'href',
    `${version.packagePath}/files`,
  );
});

test('an upload waits for the connection, resumes after a reload when the same file is chosen again, and can be cancelled', async ({
  signedIn: page,
  operator,
  folder,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/);
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  const image = await fileIn(folder, 'press.img', randomBytes(36 * mib));
  // The first part arrives; then the connection is reset.
  let cutFrom = 1;
  const offsets: number[] = [];
  await page.route('**/r/assets/**', async (route) => {
    const request = route.request();
    const offset = Number(request.headers()['upload-offset'] ?? -1);
    if (request.method() === 'PATCH') offsets.push(offset);
    if (offset >= cutFrom) return route.abort('connectionreset');
    return route.continue();
  });
  await page.goto(version.path);
  await chooseFiles(page, image.path);
  await expect(uploadOf(page, image.name)).toContainText('It continues automatically.', { timeout: 60_000 });
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(questions).toEqual(['beforeunload']);
  await expect(page.getByText(/Not completely uploaded: press\.img\./)).toBeVisible();
  cutFrom = Infinity;
  offsets.length = 0;
  await chooseFiles(page, image.path);
  await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText(/Not completely uploaded/)).toHaveCount(0);
  expect(offsets).toEqual([32 * mib]);
  expect(await filesOf(operator, version)).toEqual({ [image.name]: image.digest });
  cutFrom = 0;
  const second = await fileIn(folder, 'second.img', randomBytes(mib));
  await chooseFiles(page, second.path);
  await expect(uploadOf(page, second.name)).toContainText('It continues automatically.', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Cancel the upload of second.img' }).click();
  await expect(uploadOf(page, second.name)).toHaveCount(0);
  expect(Object.keys(await filesOf(operator, version))).toEqual([image.name]);
});

/** The notice about this one file. */
const noticeOf = (page: Page, name: string) => page.getByText(`Not completely uploaded: ${name}.`);

test('an unfinished upload is not forgotten when a request fails while the page closes, nor for other files of this tab or another, until it is complete', async ({
  signedIn: page,
  operator,
  folder,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/);
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  const image = await fileIn(folder, 'press.img', randomBytes(2 * mib));
  const other = await fileIn(folder, 'other.txt', Buffer.from('Other notes.'));
  const notes = await fileIn(folder, 'notes.txt', Buffer.from('Better bearings.'));
  await page.route('**/r/assets/**', (route) => route.abort('connectionreset'));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(version.path);
  await chooseFiles(page, image.path);
  await expect(uploadOf(page, image.name)).toContainText('It continues automatically.');
  // Under load the page goes on for a while after the user has left it.
  const failure = { kind: 'Internal', message: 'Something went wrong in the hub.' };
  const issuing = '**/repositories_IssueAssetUploadUrl';
  await page.route(issuing, (route) => route.fulfill({ status: 500, json: failure }));
  const failed = page.waitForResponse(issuing);
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  await page.route(`**${version.path}`, async (route) => {
    await left;
    await route.continue();
  });
  const reloading = page.reload();
  await (await failed).finished();
  leave();
  await reloading;
  await page.unrouteAll();
  await expect(noticeOf(page, image.name)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(version.path);
  await chooseFiles(second, notes.path);
  await expect(uploadOf(second, notes.name).getByText('Added', { exact: true })).toBeVisible();
  await second.close();
  await page.reload();
  await expect(noticeOf(page, image.name)).toBeVisible();
  await chooseFiles(page, other.path);
  await expect(uploadOf(page, other.name).getByText('Added', { exact: true })).toBeVisible();
  await page.reload();
  await expect(noticeOf(page, image.name)).toBeVisible();
  await chooseFiles(page, image.path);
  await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove press.img from this list' }).click();
  await expect(uploadsOf(page)).toHaveCount(0);
  await expect(page.getByText(/Not completely uploaded/)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('table', { name: 'Files' }).getByText(image.name)).toBeVisible();
  await expect(page.getByText(/Not completely uploaded/)).toHaveCount(0);
});

test('a file that was added when the page closed before it learned so is not called unfinished', async ({
  signedIn: page,
  operator,
  folder,
}) => {
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  const notes = await fileIn(folder, 'notes.txt', Buffer.from('Better bearings.'));
  page.on('dialog', (dialog) => void dialog.accept());
  // The hub adds the file; its answer never comes.
  await page.route('**/repositories_AddPackageVersionAsset', async (route) => void (await route.fetch()));
  await page.goto(version.path);
  await chooseFiles(page, notes.path);
  await expect.poll(() => filesOf(operator, version)).toEqual({ [notes.name]: notes.digest });
  await page.reload();
  const row = page.getByRole('table', { name: 'Files' }).getByText(notes.name);
  await expect(row).toBeVisible();
  await expect(page.getByText(/Not completely uploaded/)).toHaveCount(0);
  const { versionId } = version;
  await operator.invoke('repositories_RemovePackageVersionAsset', { versionId, filename: notes.name });
  await page.reload();
  await expect(page.getByText('Files are attached to a version through the CLI.')).toBeVisible();
  await expect(page.getByText(/Not completely uploaded/)).toHaveCount(0);
});

test('an upload over a connection that went silent is sent again; a file that changed meanwhile is refused, and others go on', async ({
  signedIn: page,
  operator,
  folder,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/);
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  const image = await fileIn(folder, 'press.img', randomBytes(2 * mib));
  let parts = 0;
  await page.route('**/r/assets/**', async (route) => {
    if (route.request().method() === 'PATCH') parts += 1;
    // The first part is never answered.
    if (route.request().method() === 'HEAD' || parts > 1) await route.continue();
  });
  await page.clock.install();
  await page.goto(version.path);
  await chooseFiles(page, image.path);
  await expect.poll(() => parts).toBe(1);
  await page.clock.fastForward(61_000);
  await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible({
    timeout: 60_000,
  });
  expect(parts).toBe(2);
  const changing = await fileIn(folder, 'changing.img', randomBytes(2 * mib));
  const notes = await fileIn(folder, 'notes.txt', Buffer.from('Better bearings.'));
  await page.unroute('**/r/assets/**');
  let isChanged = false;
  await page.route('**/r/assets/**', async (route) => {
    if (isChanged || route.request().method() !== 'PATCH') return route.continue();
    isChanged = true;
    await writeFile(changing.path, 'Something else.');
    await route.abort('connectionreset');
  });
  await chooseFiles(page, changing.path, notes.path);
  await expect(uploadOf(page, changing.name).getByRole('alert')).toHaveText(
    'The file has changed or can no longer be read. Choose it again.',
    { timeout: 60_000 },
  );
  await expect(uploadOf(page, notes.name).getByText('Added', { exact: true })).toBeVisible({
    timeout: 60_000,
  });
  expect(await filesOf(operator, version)).toEqual({
    [image.name]: image.digest,
    [notes.name]: notes.digest,
  });
});

test('a file beyond the quota is refused with the sentence of the hub, which leaves the next one alone; a locked tag keeps no file out', async ({
  signedIn: page,
  operator,
  folder,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(400));
  const repository = await newRepository(operator);
  const version = await publish(operator, repository, {
    package: 'press',
    tags: [{ tag: 'v1', locked: true }],
  });
  await operator.invoke('repositories_SetQuota', {
    repositoryId: repository.repositoryId,
    maxBytes: mib,
  });
  const image = await fileIn(folder, 'press.img', randomBytes(2 * mib));
  const notes = await fileIn(folder, 'notes.txt', Buffer.from('Better bearings.'));
  await page.goto(version.path);
  await chooseFiles(page, image.path, notes.path);
  await expect(uploadOf(page, notes.name).getByText('Added', { exact: true })).toBeVisible();
  await expect(uploadOf(page, image.name).getByRole('alert')).toContainText(
    /would have \d+\.\d MiB of at most 1\.0 MiB\./,
  );
  await page.reload();
  await expect(noticeOf(page, image.name)).toBeVisible();
  await chooseFiles(page, image.path);
  await expect(uploadOf(page, image.name).getByRole('alert')).toBeVisible();
  expect(await filesOf(operator, version)).toEqual({ [notes.name]: notes.digest });
  await operator.invoke('repositories_SetQuota', { repositoryId: repository.repositoryId });
  await page.getByRole('button', { name: 'Try Again to upload press.img' }).click();
  await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible();
  expect((await filesOf(operator, version))[image.name]).toBe(image.digest);
});

test('uploads go on while another page is shown', async ({ signedIn: page, operator, folder }) => {
  const repository = await newRepository(operator);
  const version = await publish(operator, repository, { package: 'press' });
  const image = await fileIn(folder, 'press.img', randomBytes(2 * mib));
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/r/assets/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(version.path);
  await chooseFiles(page, image.path);
  await expect(uploadOf(page, image.name).getByRole('progressbar')).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Repository' })
    .getByRole('link', { name: /^Assets/ })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible();
  goOn();
  await expect.poll(() => filesOf(operator, version)).toEqual({ [image.name]: image.digest });
  await page.goBack();
  await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible();
});
