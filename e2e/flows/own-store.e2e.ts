import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download } from '@playwright/test';
import type { ObjectStore } from '../fixtures/object-store.ts';
import type { Operator } from '../fixtures/operator.ts';
import { newRepository, publish, type RepositoryOfTest } from '../fixtures/repository.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';
import { chooseFiles, uploadOf } from '../fixtures/uploads.ts';

const mib = 1_048_576;

// One after the other, so that one store serves all.
test.describe.configure({ mode: 'default' });

/** A file on disk, as a user has it. */
async function fileIn(folder: string, name: string, bytes: Buffer) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, name, bytes };
}

async function storedRepository(operator: Operator, store: ObjectStore): Promise<RepositoryOfTest> {
  const repository = await newRepository(operator);
  const { repositoryId } = repository;
  await operator.invoke('repositories_SetS3Config', { repositoryId, s3Config: store.settings });
  return repository;
}

test('[needs Go] an owner gives a repository a store of its own: the dialog says what is wrong with it, the page what the hub found', async ({
  signedIn: page,
  operator,
  objectStore,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(400));
  const { path } = await newRepository(operator);
  await page.goto(`${path}/settings`);
  await expect(page.getByText('The hub keeps the bytes of new assets in its own data folder.')).toBeVisible();
  await page.getByRole('button', { name: 'Use an S3 store' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use an S3 store' });
  const fill = (label: string, text: string) => dialog.getByLabel(`${label} (required)`).fill(text);
  const submit = dialog.getByRole('button', { name: 'Use an S3 store' });
  const refused = async (why: string): Promise<void> => {
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText(why);
    await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 });
  };
  await fill('Endpoint', objectStore.url);
  await fill('Bucket', objectStore.bucket);
  await fill('Access key ID', 'somebody');
  await fill('Secret access key', objectStore.secretAccessKey);
  await refused('does not know the access key: check the key id.');
  await fill('Access key ID', objectStore.accessKeyId);
  await fill('Secret access key', 'something-else');
  await refused('refuses the signature: check the secret key');
  await fill('Secret access key', objectStore.secretAccessKey);
  await fill('Bucket', 'no-such-bucket');
  await refused('has no such bucket: check its name.');
  await fill('Bucket', objectStore.bucket);
  await fill('Endpoint', 'http://10.0.0.1:9000');
  await refused('ask the operator to add it to CORRAL_PRIVATE_TARGETS');
  await fill('Endpoint', objectStore.url);
  await submit.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('The store was saved')).toBeVisible();
  await expect(
    page.getByText('The bytes of new assets go to the S3-compatible store of this repository.'),
  ).toBeVisible();
  await expect(page.getByText('Clients can up- and download at the public endpoint.')).toBeVisible();
  await expect(
    page.getByText('The store refuses bytes that do not have the announced digest.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Change store' }).click();
  const change = page.getByRole('dialog', { name: 'Change store' });
  const hubOnly = change.getByRole('checkbox', { name: 'Only the hub reaches the store' });
  await hubOnly.check();
  await change.getByRole('button', { name: 'Change store' }).click();
  await expect(page.getByText('None, because only the hub reaches the store')).toBeVisible();
  await expect(page.getByText('Only the hub reaches the store, as its settings say')).toBeVisible();
  await page.getByRole('button', { name: 'Change store' }).click();
  await hubOnly.uncheck();
  await change.getByLabel('Endpoint (required)').fill('http://127.0.0.1:1');
  await change.getByLabel('Secret access key').fill(objectStore.secretAccessKey);
  await change.getByRole('button', { name: 'Change store' }).click();
  await expect(page.getByText('The store did not answer when it was checked')).toBeVisible();
  await page.getByRole('button', { name: 'Stop using it' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop using it' }).click();
  await expect(page.getByText('The hub keeps the bytes of new assets in its own data folder.')).toBeVisible();
});

test('[needs Go] files go to the store through the hub and come back from the store itself, without CORS', async ({
  signedIn: page,
  operator,
  objectStore,
  folder,
}) => {
  const repository = await storedRepository(operator, objectStore);
  const version = await publish(operator, repository, { package: 'press' });
  const files = [
    await fileIn(folder, 'press.img', randomBytes(36 * mib)),
    await fileIn(folder, 'notes.txt', Buffer.from('Better bearings.')),
  ];
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.goto(version.path);
  await chooseFiles(page, ...files.map((file) => file.path));
  for (const { name } of files)
    await expect(uploadOf(page, name).getByText('Added', { exact: true })).toBeVisible({ timeout: 60_000 });
  expect([...asked]).toEqual([new URL(page.url()).origin]);
  for (const { name, bytes } of files) {
    // Listens before the click: a tab may begin to download before the test is told of it.
    const downloading = new Promise<Download>((resolve) =>
      page.context().once('page', (tab) => tab.on('download', resolve)),
    );
    await page.getByRole('button', { name: `Download ${name}` }).click();
    const download = await downloading;
    expect(new URL(download.url()).origin).toBe(objectStore.url);
    expect(download.suggestedFilename()).toBe(name);
    expect((await readFile(await download.path())).equals(bytes)).toBe(true);
  }
  await page.getByRole('button', { name: 'View press.img' }).click();
  await expect(page.getByRole('dialog', { name: 'press.img' })).toContainText(
    'The store has exactly these bytes.',
  );
});

test(
  '[needs Go] an upload waits for its store and goes on when it is back; one that the store refuses says what to check',
  { tag: '@deep' },
  async ({ signedIn: page, operator, objectStore, folder, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/Failed to load resource/);
    const repository = await storedRepository(operator, objectStore);
    const version = await publish(operator, repository, { package: 'press' });
    const [image, second] = [
      await fileIn(folder, 'press.img', randomBytes(36 * mib)),
      await fileIn(folder, 'second.img', randomBytes(36 * mib)),
    ];
    const offsets: string[] = [];
    let interrupt: (() => Promise<void>) | undefined = () => objectStore.stop();
    await page.route('**/r/assets/**', async (route) => {
      const offset = route.request().headers()['upload-offset'];
      if (offset !== undefined) offsets.push(offset);
      // The first part is in the store by then.
      if (offset === String(32 * mib)) {
        await interrupt?.();
        interrupt = undefined;
      }
      await route.continue();
    });
    await page.goto(version.path);
    await chooseFiles(page, image.path);
    const answers = (method: string, status: number) =>
      page.waitForResponse((answer) => answer.request().method() === method && answer.status() === status);
    // The second time the hub only asks how far the upload is.
    for (const answer of [answers('PATCH', 503), answers('HEAD', 503)]) {
      await answer;
      await expect(uploadOf(page, image.name)).toContainText(
        /The store 127\.0\.0\.1:\d+ \(bucket corral-assets\) cannot be reached \(ECONNREFUSED\).* It continues automatically\./,
      );
    }
    await objectStore.start();
    await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
    expect(offsets.filter((offset) => offset === '0')).toHaveLength(1);

    interrupt = () => objectStore.start('another-secret-key');
    await chooseFiles(page, second.path);
    await expect(uploadOf(page, second.name).getByRole('alert')).toContainText(
      'refuses the signature: check the secret key',
      { timeout: 60_000 },
    );
    await page.getByRole('button', { name: 'Try Again to upload second.img' }).click();
    await expect(uploadOf(page, second.name).getByRole('alert')).toContainText('refuses the signature');
    await objectStore.start();
    offsets.length = 0;
    await page.getByRole('button', { name: 'Try Again to upload second.img' }).click();
    await expect(uploadOf(page, second.name).getByText('Added', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
    expect(offsets).not.toContain('0');
  },
);

test(
  '[needs Go] an upload to a store is cancelled in the middle, and begun again where it was',
  { tag: '@deep' },
  async ({ signedIn: page, operator, objectStore, folder }) => {
    const repository = await storedRepository(operator, objectStore);
    const version = await publish(operator, repository, { package: 'press' });
    const image = await fileIn(folder, 'press.img', randomBytes(36 * mib));
    const offsets: string[] = [];
    let isHeld = true;
    await page.route('**/r/assets/**', async (route) => {
      const offset = route.request().headers()['upload-offset'];
      if (offset !== undefined) offsets.push(offset);
      // The rest waits until the upload is cancelled.
      if (!isHeld || offset !== String(32 * mib)) await route.continue();
    });
    await page.goto(version.path);
    await chooseFiles(page, image.path);
    await expect(uploadOf(page, image.name)).toContainText('32 MiB of 36 MiB', { timeout: 60_000 });
    const ended = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Cancel the upload of press.img' }).click();
    await ended;
    await expect(uploadOf(page, image.name)).toHaveCount(0);
    isHeld = false;
    offsets.length = 0;
    await chooseFiles(page, image.path);
    await expect(uploadOf(page, image.name).getByText('Added', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
    expect(offsets).toEqual([String(32 * mib)]);
  },
);
