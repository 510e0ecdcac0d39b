import { pathOf } from '@corral/console';
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { builtSections } from '../fixtures/sections.ts';
import type { SeededProject } from '../fixtures/seeded-project.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';
import type { ViewPage } from '../fixtures/view-page.ts';

interface View {
  readonly name: string;
  readonly path: (project: SeededProject) => string;
  readonly heading: string | RegExp;
  /** Who opens it; by default the owner of the seeded project. */
  readonly who?: 'administrator' | 'visitor';
  /** Opens the part of the page that is tested. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Every section of the console that is built. */
const sectionViews: readonly View[] = builtSections.map((section) => ({
  name: section.id.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`),
  path: ({ projectId, repository: { repositoryId } }) => pathOf(section, { projectId, repositoryId }),
  heading: section.label(),
  ...(section.scope === 'admin' && { who: 'administrator' }),
}));

const views: readonly View[] = [
  ...sectionViews,
  { name: 'sign-in', path: () => '/login', heading: 'Welcome Back', who: 'visitor' },
  { name: 'reset password', path: () => '/reset-password', heading: 'Under Construction', who: 'visitor' },
  { name: 'confirm email', path: () => '/confirm-email', heading: 'Confirm Your Email', who: 'visitor' },
  {
    name: 'sign-up with mistakes',
    path: () => '/signup',
    heading: 'Create Your Account',
    who: 'visitor',
    open: async (page) => {
      await page.getByRole('button', { name: 'Sign Up' }).click();
      await page.getByRole('group', { name: 'need your attention' }).waitFor();
    },
  },
  { name: 'a document', path: () => '/docs/configuration', heading: 'Configuration', who: 'visitor' },
  { name: 'activation', path: () => '/signup/verify', heading: /^Account Activation Failed/, who: 'visitor' },
  { name: 'not found, signed out', path: () => '/nowhere', heading: 'Page not Found', who: 'visitor' },
  { name: 'not found', path: () => '/nowhere', heading: 'Page not Found' },
  {
    name: 'the open account menu',
    path: () => '/projects',
    heading: 'Projects',
    open: (page) => openMenu(page, /Wilma Warden/),
  },
  {
    name: 'the open menu of a device',
    path: ({ path }) => `${path}/devices`,
    heading: 'Devices',
    open: (page) => openMenu(page, /^Actions for/),
  },
  {
    name: 'the open columns and views of devices',
    path: ({ path }) => `${path}/devices?columns=hostname.lastSeen.status`,
    heading: 'Devices',
    open: (page) => openMenu(page, /^Options for Devices$/),
  },
  {
    name: 'the open suggestions of the filter of devices',
    path: ({ path }) => `${path}/devices`,
    heading: 'Devices',
    open: async (page) => {
      const field = page.getByRole('combobox', { name: 'Filter by name or ID' });
      await field.fill('c');
      await field.press('ArrowDown');
      await page.getByRole('option', { name: 'connected' }).waitFor();
    },
  },
  {
    name: 'a mistake in the filter of devices',
    path: ({ path }) => `${path}/devices?q=pump+offline%3A7d`,
    heading: 'Devices',
    open: (page) => page.locator('mark', { hasText: 'offline' }).waitFor(),
  },
  {
    name: 'the open palette',
    path: ({ path }) => `${path}/devices`,
    heading: 'Devices',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      // Matches so many that the list scrolls.
      await page.getByRole('combobox', { name: 'Go to anything' }).fill('e');
      await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(20);
    },
  },
  {
    name: 'devices with selected rows',
    path: ({ path }) => `${path}/devices`,
    heading: 'Devices',
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select (?!all)/ })
        .first()
        .click();
      await page.getByRole('toolbar', { name: 'Actions for the selected rows' }).waitFor();
    },
  },
  {
    name: 'renaming devices together',
    path: ({ path }) => `${path}/devices`,
    heading: 'Devices',
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select (?!all)/ })
        .first()
        .click();
      await page
        .getByRole('toolbar', { name: 'Actions for the selected rows' })
        .getByRole('button', { name: 'Rename' })
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'create project',
    path: () => '/projects',
    heading: 'Projects',
    open: (page) => openDialog(page, 'Create Project'),
  },
  { name: 'first device', path: ({ emptyPath }) => `${emptyPath}/devices`, heading: 'Devices' },
  { name: 'device', path: ({ devicePath }) => devicePath, heading: /./ },
  { name: 'pending device', path: ({ pendingDevicePath }) => pendingDevicePath, heading: /./ },
  {
    name: 'timeline of a device that is refused',
    path: ({ pendingDevicePath }) => `${pendingDevicePath}?tab=timeline&span=30d`,
    heading: /./,
  },
  { name: 'no tokens', path: ({ emptyPath }) => `${emptyPath}/tokens`, heading: 'Tokens' },
  {
    name: 'new token',
    path: ({ path }) => `${path}/tokens`,
    heading: 'Tokens',
    open: (page) => openDialog(page, 'New Token'),
  },
  {
    name: 'delete project',
    path: ({ path }) => `${path}/settings`,
    heading: 'Settings',
    open: (page) => openDialog(page, 'Delete Project'),
  },
  {
    name: 'new repository',
    path: () => '/repositories',
    heading: 'Repositories',
    open: (page) => openDialog(page, 'New Repository'),
  },
  { name: 'no packages', path: ({ repository }) => `${repository.emptyPath}/packages`, heading: 'Packages' },
  { name: 'no assets', path: ({ repository }) => `${repository.emptyPath}/assets`, heading: 'Assets' },
  {
    name: 'new package',
    path: ({ repository }) => `${repository.path}/packages`,
    heading: 'Packages',
    open: (page) => openDialog(page, 'New Package'),
  },
  {
    name: 'new version',
    path: ({ repository }) => `${repository.packagePath}/new`,
    heading: 'New version',
    open: async (page) => {
      await page
        .locator('input[type=file]')
        .setInputFiles([{ name: 'a.img', mimeType: '', buffer: Buffer.from('a') }]);
      await page.getByLabel('Another tag').fill('beta');
      await page.getByRole('button', { name: 'Add Tag' }).click();
      await page.getByRole('region', { name: 'What changes' }).getByRole('listitem').waitFor();
    },
  },
  {
    name: 'package settings',
    path: ({ repository }) => `${repository.packagePath}/settings`,
    heading: 'Package settings',
  },
  { name: 'package', path: ({ repository }) => repository.packagePath, heading: 'gate' },
  { name: 'version', path: ({ repository }) => repository.versionPath, heading: 'Version 1.1.0' },
  {
    name: 'uploads to a version',
    path: ({ repository }) => repository.versionPath,
    heading: 'Version 1.1.0',
    // Nothing is uploaded: one has the name of another file, one is there already.
    open: async (page) => {
      await page.locator('input[type=file]').setInputFiles([
        { name: 'gate.img', mimeType: '', buffer: Buffer.from('others') },
        { name: 'release notes.txt', mimeType: '', buffer: Buffer.from('notes') },
      ]);
      const uploads = page.getByRole('list', { name: 'Uploads' });
      await uploads.getByRole('alert').first().waitFor();
      await uploads.getByText('This version has the same file already').first().waitFor();
    },
  },
  {
    name: 'an asset',
    path: ({ repository }) => repository.versionPath,
    heading: 'Version 1.1.0',
    open: async (page) => {
      await page.getByRole('button', { name: 'View gate.img' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'gate 1.1.0' }).waitFor();
    },
  },
  {
    name: 'files of a package',
    path: ({ repository }) => `${repository.packagePath}/files`,
    heading: 'Package files',
  },
  {
    name: 'the dialog that sets a tag',
    path: ({ repository }) => `${repository.packagePath}/tags`,
    heading: 'Tag history',
    open: async (page) => {
      await page.getByRole('button', { name: 'Set Tag' }).click();
      await page.getByRole('dialog', { name: 'Set a tag' }).waitFor();
    },
  },
  {
    name: 'what a moved tag changes',
    path: ({ repository }) => `${repository.packagePath}/tags`,
    heading: 'Tag history',
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Point Back to/ })
        .first()
        .click();
      await page.getByRole('alertdialog', { name: /^Move the tag/ }).waitFor();
    },
  },
  { name: 'tag history', path: ({ repository }) => `${repository.packagePath}/tags`, heading: 'Tag history' },
  {
    name: 'comparison',
    path: ({ repository }) => `${repository.packagePath}/compare?show=all`,
    heading: 'Compare versions',
    open: (page) =>
      page.getByRole('table', { name: 'Files' }).or(page.getByText('Changed')).first().waitFor(),
  },
  {
    name: 'the store of a repository',
    path: ({ repository }) => `${repository.path}/settings`,
    heading: 'Settings',
    open: (page) => openDialog(page, 'Use an S3 store'),
  },
  {
    name: 'no linked repositories',
    path: ({ emptyPath }) => `${emptyPath}/repositories`,
    heading: 'Repositories',
  },
  {
    name: 'the commands of a device',
    path: ({ devicePath }) => devicePath,
    heading: /./,
    open: (page) => page.getByRole('heading', { name: 'Command line' }).click(),
  },
];

async function openDialog(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
}

async function openMenu(page: Page, button: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('menu').waitFor();
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules among them whose result depends on colours; all others give the same result in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block'];
const canvases = { light: 'rgb(246, 243, 236)', dark: 'rgb(21, 19, 14)' };
const widths = [1280, 390];
/** More than any page: axe calls a button too small that the header or the bar of selected rows half covers, which depends on where a page is scrolled to. */
const height = 6000;

async function openView(
  page: ViewPage,
  { path, heading, open }: View,
  project: SeededProject,
): Promise<void> {
  await page.visit(path(project));
  await expect(page.page.getByRole('heading', { level: 1 })).toHaveText(heading);
  await expect(page.page.getByText(/^Loading/)).toHaveCount(0);
  await open?.(page.page);
}

async function useTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const canvas = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await expect.poll(canvas).toBe(canvases[colorScheme]);
}

/** The violations that axe finds, one line each. Axe is loaded once for a loaded page: that costs more than a run. */
async function violationsOf(page: Page, runOnly: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${axe.source}; undefined`);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  return page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/** The controls whose accessible name does not begin with their visible words, by which voice control finds them. */
const misnamed = `(() => {
  const plain = (text) => text.replace(/\\s+/g, ' ').trim().toLowerCase();
  return [...document.querySelectorAll('[aria-label]:is(button, a, summary, input, [role])')]
    .filter((control) => control.offsetParent !== null && control.matches('button, a, summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=switch]'))
    .map((control) => [plain(control.innerText), plain(control.getAttribute('aria-label'))])
    .filter(([words, name]) => words !== '' && !name.startsWith(words));
})()`;

/** Resolves when two frames in a row have everything at the same places. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const places = () => [...document.querySelectorAll('a, button, input, summary')].map((control) => Object.values(control.getBoundingClientRect().toJSON()).join()).join(' ');
    for (let before, now = places(); before !== now; now = places()) {
      before = now;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  })()`);
}

async function expectNoViolations(page: Page, isAlsoDark: boolean): Promise<void> {
  await settle(page);
  expect(await page.evaluate<string[][]>(misnamed), 'names').toEqual([]);
  await useTheme(page, 'light');
  expect(await violationsOf(page, { type: 'tag', values: standards }), 'light').toEqual([]);
  if (!isAlsoDark) return;
  await useTheme(page, 'dark');
  expect(await violationsOf(page, { type: 'rule', values: colourRules }), 'dark').toEqual([]);
}

// Each view is a test of its own on whichever worker is free.
test.describe.configure({ mode: 'parallel' });

for (const view of views)
  test(`axe finds nothing, and each name begins with the visible words, on ${view.name} at ${widths.join(' and ')} px, light and dark`, async ({
    viewPages,
    seededProject,
  }) => {
    const viewPage = viewPages[view.who ?? 'member'];
    const { page } = viewPage;
    for (const width of widths) {
      await page.setViewportSize({ width, height });
      // Menus and dialogs are opened again, since some close when the window changes its size.
      if (width === widths[0] || view.open !== undefined) await openView(viewPage, view, seededProject);
      // What is opened has the same colours on a phone.
      await expectNoViolations(page, width === widths[0] || view.open === undefined);
      const contentWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(contentWidth, `no horizontal scrolling at ${width} px`).toBeLessThanOrEqual(width);
      if (view.open !== undefined) await viewPage.leave();
    }
    viewPage.finish(view.who === 'visitor' ? [refusedWith(401)] : []);
  });
