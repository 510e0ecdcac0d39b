import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { byRole, byText, expect, test } from '../fixtures/firefox.ts';
import { newRepository, publish } from '../fixtures/repository.ts';

const mib = 1_048_576;

/** Chooses a file of 50 MiB on the page of a version, waits until it was added, and downloads it. */
async function uploadAndDownload(tab: Page, { folder, downloads }: { folder: string; downloads: string }) {
  const name = `press-${randomBytes(4).toString('hex')}.img`;
  const bytes = randomBytes(50 * mib);
  await writeFile(join(folder, name), bytes);
  const input = await tab.waitForSelector('input[type=file]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, name));
  await tab.locator(byText('Added')).setTimeout(120_000).wait();
  await tab.locator(byRole('button', `Download ${name}`)).click();
  const fetched = () => readFile(join(downloads, name)).catch(() => Buffer.alloc(0));
  await expect.poll(async () => (await fetched()).length, { timeout: 60_000 }).toBe(bytes.length);
  expect((await fetched()).equals(bytes)).toBe(true);
}

test('a file of 50 MiB is uploaded and downloaded', async ({
  signedInTab: tab,
  hub,
  operator,
  folder,
  downloads,
}) => {
  const version = await publish(operator, await newRepository(operator), { package: 'press' });
  await tab.goto(hub.url + version.path);
  await uploadAndDownload(tab, { folder, downloads });
});

test('[needs Go] a file of 50 MiB goes to an object store and comes back from it', async ({
  signedInTab: tab,
  hub,
  operator,
  objectStore,
  folder,
  downloads,
}) => {
  const repository = await newRepository(operator);
  await operator.invoke('repositories_SetS3Config', {
    repositoryId: repository.repositoryId,
    s3Config: objectStore.settings,
  });
  const version = await publish(operator, repository, { package: 'press' });
  await tab.goto(hub.url + version.path);
  await uploadAndDownload(tab, { folder, downloads });
});
