import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite, serveFolder } from '@corral/tools';
import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';

const version = '1.10.0';

/** The site of a version beside an older and a newer one, below a path of a plain web server. */
async function serveSite(folder: string, versions: readonly unknown[]) {
  await buildSite(join(folder, version), version);
  await writeFile(join(folder, 'versions.json'), JSON.stringify(versions));
  return serveFolder(folder, 0, '/some/docs');
}

const valuesOf = (text: string, attribute: RegExp): string[] =>
  [...text.matchAll(attribute)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

test('every link of the documentation site leads to a file and a heading of it', async ({ folder }) => {
  const site = await serveSite(folder, [version]);
  const first = `${site.url}/${version}/index.html`;
  const ids = new Map<string, readonly string[]>();
  const wanted: [from: string, address: string][] = [[first, first]];
  for (const [from, address] of wanted) {
    const { origin, pathname, hash } = new URL(address);
    if (!site.url.startsWith(origin)) continue;
    const file = origin + pathname;
    if (!ids.has(file)) {
      const answer = await fetch(file);
      expect(answer.ok, `${file}, from ${from}`).toBe(true);
      const text = pathname.endsWith('.html') ? await answer.text() : '';
      ids.set(file, valuesOf(text, / id="([^"]*)"/gu));
      for (const target of valuesOf(text, / (?:href|src|srcset)="([^"]*)"/gu))
        wanted.push([file, new URL(target, file).href]);
    }
    if (hash !== '')
      expect(ids.get(file), `${address}, from ${from}`).toContain(decodeURIComponent(hash.slice(1)));
  }
  expect(ids.size).toBeGreaterThan(60);
  await site.stop();
});

test('the documentation site is searched by the keyboard, says which version it is for, and can be read everywhere', async ({
  page,
  folder,
  expectedConsoleErrors,
}) => {
  const site = await serveSite(folder, ['1.9.2', version, '1.11.0']);
  // There are no files of the other versions.
  expectedConsoleErrors.push(refusedWith(404));
  const root = `${site.url}/${version}`;
  await page.goto(`${root}/index.html`);
  await expect(page.getByText('Version 1.11.0 is newer.')).toBeVisible();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search the documents' });
  const found = page.getByRole('listbox', { name: 'Passages' }).getByRole('option');
  await field.fill('restore back');
  await expect(found.first()).toContainText('Backup and restore');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`^${root}/operations/backup\\.html`, 'u'));
  await field.fill('projects_CreateDeploymentToken');
  await found.first().click();
  await expect(page).toHaveURL(`${root}/api/projects.html#projects_createdeploymenttoken`);
  await expect(page.getByText('members, owners, administrators').first()).toBeVisible();
  await page.getByRole('article').getByRole('link', { name: 'The API' }).click();
  await expect(page).toHaveURL(`${root}/api.html`);

  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const path of [
      'index',
      'tour',
      'operations/backup',
      'software-repositories',
      'coming-from/mender',
      'api',
      'api/actor',
    ]) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${root}/${path}.html`);
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 700 });
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, `${path} at 320 px`).toBeLessThanOrEqual(320);
    }
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${root}/index.html`);
  await page.getByRole('button', { name: 'Copy npx command' }).click();
  await expect(page.getByText('Copied')).toBeAttached();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx corral-hub');
  await site.stop();
});

test('a reader of the documentation site chooses another version by a link, which leads to the same page where there is one', async ({
  page,
  folder,
  expectedConsoleErrors,
}) => {
  const site = await serveSite(folder, ['1.9.2', null, version, '../other', '1.11.0']);
  await mkdir(join(folder, '1.9.2'));
  await writeFile(join(folder, '1.9.2/tour.html'), '<!doctype html><title>The tour of 1.9.2</title>');
  expectedConsoleErrors.push(refusedWith(404));
  const tour = `${site.url}/${version}/tour.html`;
  await page.goto(tour);
  const summary = page.getByText(`Version ${version}`).and(page.locator('summary'));
  await summary.focus();
  await page.keyboard.press('Enter');
  const links = page.getByRole('banner').locator('details').getByRole('link');
  await expect(links).toHaveText(['1.11.0', version, '1.9.2']);
  await expect(links.nth(2)).toHaveAttribute('href', /1\.9\.2\/tour\.html$/u);
  await expect(links.nth(0)).toHaveAttribute('href', /1\.11\.0\/index\.html$/u);
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+/');
  await expect(links.nth(0)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(summary).toBeFocused();
  await expect(links.nth(0)).toBeHidden();
  expect(page.url()).toBe(tour);
  await summary.click();
  await links.nth(2).click();
  await expect(page).toHaveTitle('The tour of 1.9.2');

  for (const list of [null, {}, version, ['1.11.0', null]]) {
    await writeFile(join(folder, 'versions.json'), JSON.stringify(list));
    await page.goto(tour, { waitUntil: 'networkidle' });
    await expect(page.locator('[data-own-version]')).toHaveText(`Version ${version}`);
    await expect(summary).toBeHidden();
  }
  await site.stop();
});
