import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page, TestInfo } from '@playwright/test';
import { expect, refusedWith, test } from '../fixtures/test.ts';

// What is compared where, and why, is decided in docs/decisions/0009-pictures-belong-to-a-browser.md.

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
const themes = ['light', 'dark'] as const;
const directions = ['ltr', 'rtl'] as const;
const turnAround = `document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl'; });`;

/** The folder of the pictures of this browser: its major version, and the system whose rasteriser draws. */
const setOf = (browser: Browser): string => `chromium-${browser.version().split('.')[0]}-${process.platform}`;
const fileOf = (title: string, theme: string, direction: string): string =>
  `${title.toLowerCase().replaceAll(' ', '-')}-${theme}-${direction}.png`;

/** The block of the page that this heading opens. */
const section = (page: Page, title: string) =>
  page
    .locator('main section')
    .filter({ has: page.locator(':scope > h2, :scope > div > h2').getByText(title, { exact: true }) });

/** True where pictures are compared or made; where this browser has none, the report and the terminal say so. */
function isPhotographed(browser: Browser, info: TestInfo): boolean {
  if (existsSync(folder + setOf(browser)) || isMaking(info)) return true;
  const description = `No pictures of ${setOf(browser)}: the structure alone was judged; ${howToMake}.`;
  info.annotations.push({ type: 'warning', description });
  process.stderr.write(`${description}\n`);
  return false;
}

const isMaking = ({ config }: TestInfo): boolean => ['all', 'changed'].includes(config.updateSnapshots);

async function judgeStructure(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Design system' })).toBeVisible();
  for (const title of titles) await expect(section(page, title)).toBeVisible();
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width, 'no sideways scrolling').toBeLessThanOrEqual(1280);
  const pairs = page.getByRole('list', { name: 'Contrast' }).getByRole('listitem');
  expect(await pairs.count()).toBeGreaterThan(20);
  await expect(pairs.last()).toHaveText(/\d\.\d\d$/);
  await expect(pairs.locator('.text-danger'), 'every pair has its contrast').toHaveCount(0);
}

for (const theme of themes)
  for (const direction of directions)
    test(`"/design-system: internal showcase of badges, buttons, inputs, sections and a split layout" looks as it did, ${theme} ${direction}`, async ({
      page,
      browser,
    }, info) => {
      // Higher than any section with the header above it, or its end would be cut off.
      await page.setViewportSize({ width: 1280, height: 1400 });
      await page.clock.setFixedTime(Date.UTC(2026, 10, 20, 14, 20));
      await page.goto(`/design-system?theme=${theme}${direction === 'rtl' ? '&dir=rtl' : ''}`);
      await judgeStructure(page);
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await expect(page.locator('html')).toHaveCSS('direction', direction);
      if (!isPhotographed(browser, info)) return;
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      for (const title of titles) {
        const path = [setOf(browser), fileOf(title, theme, direction)];
        if (!isMaking(info))
          expect(existsSync(folder + path.join('/')), `e2e/snapshots/${path.join('/')}: ${howToMake}`).toBe(
            true,
          );
        await expect.soft(section(page, title)).toHaveScreenshot(path, {
          animations: 'disabled',
          maxDiffPixelRatio: 0.002,
          mask: [page.locator('time')],
        });
      }
    });

/** What floats, by the button of the showcase that opens it, and the part of the page that is looked at. */
const overlays = [
  ['Dialog', 'dialog'],
  ['Form dialog', 'dialog'],
  ['Typed confirmation', 'alertdialog'],
  ['Secret dialog', 'dialog'],
  ['Drawer', 'dialog'],
  ['Palette', 'dialog'],
  ['Menu', 'menu'],
] as const;

/** Pages that look the same on every hub. */
const pages = ['/login', '/signup', '/reset-password', '/nowhere'];

for (const theme of themes)
  for (const direction of directions)
    test(`what floats, and the public pages, look as they did, ${theme} ${direction}`, async ({
      page,
      browser,
      provoked,
    }, info) => {
      provoked.push(refusedWith(401));
      const isCompared = isPhotographed(browser, info);
      const compare = async (target: Page | Locator, title: string) => {
        await page.evaluate('document.fonts.ready.then(() => undefined)');
        if (!isCompared) return;
        const path = [setOf(browser), fileOf(title, theme, direction)];
        const look = { animations: 'disabled', maxDiffPixelRatio: 0.002 } as const;
        // One of the two, with the same look.
        if ('goto' in target) await expect.soft(target).toHaveScreenshot(path, look);
        else await expect.soft(target).toHaveScreenshot(path, look);
      };
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`/design-system?theme=${theme}${direction === 'rtl' ? '&dir=rtl' : ''}`);
      for (const [name, role] of overlays) {
        await page.getByRole('button', { name, exact: true }).click();
        const opened = page.getByRole(role);
        await expect(opened).toBeVisible();
        await compare(opened, `open ${name}`);
        // A secret is left by its own button alone.
        if (name === 'Secret dialog') await opened.getByRole('button', { name: 'I stored it' }).click();
        else await page.keyboard.press('Escape');
        await expect(opened).toBeHidden();
      }
      await page.emulateMedia({ colorScheme: theme });
      if (direction === 'rtl') await page.addInitScript({ content: turnAround });
      for (const path of pages) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await compare(page, `page ${path.slice(1)}`);
      }
    });
