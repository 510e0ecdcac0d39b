import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page, TestInfo } from '@playwright/test';
import { expect, refusedWith, test } from '../fixtures/test.ts';

// Pictures are compared for one version of one browser: docs/decisions/0009-pictures-belong-to-a-browser.md.

const folder = fileURLToPath(new URL('../snapshots/', import.meta.url));
const howToMake =
  'make them with `npm test -- e2e flows/snapshots --update-snapshots=all`, look at every picture, and commit e2e/snapshots';
const titles = [
  'Buttons',
  'Badges',
  'Inputs',
  'Signatures',
  'Table',
  'Sections',
  'Split layout',
  'Text',
  'Overlays',
  'Colours',
];

interface Appearance {
  readonly theme: 'light' | 'dark';
  readonly direction: 'ltr' | 'rtl';
}

const appearances: readonly Appearance[] = (['light', 'dark'] as const).flatMap((theme) =>
  (['ltr', 'rtl'] as const).map((direction) => ({ theme, direction })),
);

/** The folder of the pictures of this browser: its major version, and the system that rasterises the fonts. */
const folderOf = (browser: Browser): string =>
  `chromium-${browser.version().split('.')[0]}-${process.platform}`;
const fileOf = (title: string, { theme, direction }: Appearance): string =>
  `${title.toLowerCase().replaceAll(' ', '-')}-${theme}-${direction}.png`;

/** The section of the page with this heading. */
const section = (page: Page, title: string) =>
  page
    .locator('main section')
    .filter({ has: page.locator(':scope > h2, :scope > div > h2').getByText(title, { exact: true }) });

/** True when pictures are compared or made; where this browser has none, the report and the terminal say so. */
function hasPictures(browser: Browser, info: TestInfo): boolean {
  if (existsSync(folder + folderOf(browser)) || isUpdating(info)) return true;
  const description = `No pictures of ${folderOf(browser)}: only the structure was checked; ${howToMake}.`;
  info.annotations.push({ type: 'warning', description });
  process.stderr.write(`${description}\n`);
  return false;
}

const isUpdating = ({ config }: TestInfo): boolean => ['all', 'changed'].includes(config.updateSnapshots);

/** Compares a page or a part of it with its picture, except for masked parts. */
type Compare = (
  target: Page | Locator,
  title: string,
  appearance: Appearance,
  mask?: Locator[],
) => Promise<void>;

/** Prepares comparisons; they do nothing where this browser has no pictures. */
function pictureComparison(page: Page, browser: Browser, info: TestInfo): Compare {
  const isCompared = hasPictures(browser, info);
  return async (target, title, appearance, mask = []) => {
    if (!isCompared) return;
    const path = [folderOf(browser), fileOf(title, appearance)];
    if (!isUpdating(info))
      expect(existsSync(folder + path.join('/')), `e2e/snapshots/${path.join('/')}: ${howToMake}`).toBe(true);
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const options = { animations: 'disabled', maxDiffPixelRatio: 0.002, mask } as const;
    // The same call twice, since the types of a page and a locator are overloads.
    if ('goto' in target) await expect.soft(target).toHaveScreenshot(path, options);
    else await expect.soft(target).toHaveScreenshot(path, options);
  };
}

/** Changes theme and direction of the open showcase through its address, without loading it again. */
async function setAppearance(page: Page, { theme, direction }: Appearance): Promise<void> {
  const address = `/design-system?theme=${theme}${direction === 'rtl' ? '&dir=rtl' : ''}`;
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await expect(page.locator('html')).toHaveCSS('direction', direction);
}

async function expectStructure(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Design system' })).toBeVisible();
  for (const title of titles) await expect(section(page, title)).toBeVisible();
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width, 'no horizontal scrolling').toBeLessThanOrEqual(1280);
  const pairs = page.getByRole('list', { name: 'Contrast' }).getByRole('listitem');
  expect(await pairs.count()).toBeGreaterThan(20);
  await expect(pairs.last()).toHaveText(/\d\.\d\d$/);
  await expect(pairs.locator('.text-danger'), 'every pair of colours has enough contrast').toHaveCount(0);
}

test('"/design-system: internal showcase of badges, buttons, inputs, sections and a split layout" is unchanged', async ({
  page,
  browser,
}, info) => {
  const compare = pictureComparison(page, browser, info);
  // Higher than any section and the header, so that no section is cut off.
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.clock.setFixedTime(Date.UTC(2026, 10, 20, 14, 20));
  await page.goto('/design-system');
  for (const appearance of appearances) {
    await setAppearance(page, appearance);
    await expectStructure(page);
    for (const title of titles)
      await compare(section(page, title), title, appearance, [page.locator('time')]);
  }
});

/** Buttons of the showcase, and the role of what each opens. */
const overlays = [
  ['Dialog', 'dialog'],
  ['Form dialog', 'dialog'],
  ['Typed confirmation', 'alertdialog'],
  ['Secret dialog', 'dialog'],
  ['Drawer', 'dialog'],
  ['Palette', 'dialog'],
  ['Menu', 'menu'],
] as const;

test('dialogs, the drawer, the palette and menus are unchanged', async ({ page, browser }, info) => {
  const compare = pictureComparison(page, browser, info);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/design-system');
  for (const appearance of appearances) {
    await setAppearance(page, appearance);
    for (const [name, role] of overlays) {
      await page.getByRole('button', { name, exact: true }).click();
      const opened = page.getByRole(role);
      await expect(opened).toBeVisible();
      await compare(opened, `open ${name}`, appearance);
      // Escape does not close a dialog that shows a secret.
      if (name === 'Secret dialog') await opened.getByRole('button', { name: 'I stored it' }).click();
      else await page.keyboard.press('Escape');
      await expect(opened).toBeHidden();
    }
  }
});

/** Pages that look the same on every hub. */
const publicPages = ['/login', '/signup', '/reset-password', '/nowhere'];

for (const path of publicPages)
  test(`${path} is unchanged`, async ({ page, browser, expectedConsoleErrors }, info) => {
    expectedConsoleErrors.push(refusedWith(401));
    const compare = pictureComparison(page, browser, info);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const appearance of appearances) {
      await page.emulateMedia({ colorScheme: appearance.theme });
      await page.evaluate(`document.documentElement.dir = '${appearance.direction}'`);
      await expect(page.locator('html')).toHaveCSS('direction', appearance.direction);
      await compare(page, `page ${path.slice(1)}`, appearance);
    }
  });
