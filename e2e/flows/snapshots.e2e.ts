import type { Page } from '@playwright/test';
import { createPicturedPeople, type PicturedPeople } from '../fixtures/picture-people.ts';
import { createPictureProject, type PictureProject } from '../fixtures/picture-project.ts';
import { dark, light, mirrored, pictureComparison, type Appearance } from '../fixtures/pictures.ts';
import { expect, refusedWith, test, useSession } from '../fixtures/test.ts';

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
/** The sections with the most colours, and those in which most has a side. */
const sectionsIn = new Map([
  [light, titles],
  [dark, ['Buttons', 'Badges', 'Inputs', 'Colours']],
  [mirrored, ['Inputs', 'Signatures', 'Table']],
]);

/** The section of the page with this heading. */
const section = (page: Page, title: string) =>
  page
    .locator('main section')
    .filter({ has: page.locator(':scope > h2, :scope > div > h2').getByText(title, { exact: true }) });

/** Changes theme and direction of the open showcase through its address, without loading it again. */
async function setAppearance(page: Page, { theme, direction }: Appearance): Promise<void> {
  const address = `/design-system?theme=${theme}${direction === 'rtl' ? '&dir=rtl' : ''}`;
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await expect(page.locator('html')).toHaveCSS('direction', direction);
}

/** Stops the clock of a page. Pages go by the hub's time, so its answers lose theirs. */
async function stopClock(page: Page, atMs: number): Promise<void> {
  await page.route(/\/api\/(?!v1\/stream)/, async (route) => {
    const response = await route.fetch();
    const { date: _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await page.clock.setFixedTime(atMs);
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
  await stopClock(page, Date.UTC(2026, 10, 20, 14, 20));
  await page.goto('/design-system');
  for (const [appearance, pictured] of sectionsIn) {
    await setAppearance(page, appearance);
    await expectStructure(page);
    for (const title of pictured)
      await compare(section(page, title), title, appearance, [page.locator('time')]);
  }
});

/** Buttons of the showcase, the role of what each opens, and how it is pictured beside light. */
const overlays = [
  ['Form dialog', 'dialog', dark],
  ['Typed confirmation', 'alertdialog'],
  ['Secret dialog', 'dialog'],
  ['Drawer', 'dialog', mirrored],
  ['Palette', 'dialog'],
  ['Menu', 'menu', dark],
] as const;

test('dialogs, the drawer, the palette and menus are unchanged', async ({ page, browser }, info) => {
  const compare = pictureComparison(page, browser, info);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/design-system');
  for (const appearance of [light, dark, mirrored]) {
    await setAppearance(page, appearance);
    for (const [name, role, also] of overlays) {
      if (appearance !== light && appearance !== also) continue;
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

test('the sign-in, sign-up and not-found pages, which are the same on every hub, are unchanged', async ({
  page,
  browser,
  expectedConsoleErrors,
}, info) => {
  expectedConsoleErrors.push(refusedWith(401));
  const compare = pictureComparison(page, browser, info);
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [name, pictured] of [
    ['login', [light, dark]],
    ['signup', [light]],
    ['nowhere', [light]],
  ] as const) {
    await page.goto(`/${name}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const appearance of pictured) {
      await page.emulateMedia({ colorScheme: appearance.theme });
      await compare(page, `page ${name}`, appearance);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }
});

/** A screen: a text that it shows last, and how it is pictured beside wide and light. */
type Screen = readonly [last: string, ...also: readonly ('dark' | 'phone')[]];

/** The signed-in screens with pictures, of those that look alike one. */
const screens: Readonly<Record<string, Screen>> = {
  devices: ['unnamed', 'dark', 'phone'],
  device: ['The lock does not answer', 'dark', 'phone'],
  log: ['This is the beginning of the log.', 'phone'],
  repositories: ['herd-firmware'],
  package: ['v1.4.0'],
  version: ['release-notes.txt', 'phone'],
};

// Ids, times and durations differ in each run: their text is invisible, and where its length varies too, it has one width.
const hideWhatVaries = `addEventListener('DOMContentLoaded', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    .id-tag, time, figcaption, [data-varies] { color: transparent !important }
    time { display: inline-block; inline-size: 6rem; overflow: hidden }
    .tabular[data-varies=value] { display: inline-block; inline-size: 3rem }
  \`);
  document.adoptedStyleSheets = [sheet];
  // Marks durations, versions, the present time, pairs of the log with an id, and the name of the machine; hides what was sealed by now.
  new MutationObserver(() => {
    for (const element of document.querySelectorAll('.tabular, span.font-mono, dt, h2, article > div'))
      if (/^(?:\\d+ h )?\\d+ (?:s|min)$|^\\d+\\.\\d+\\.\\d+$|=\\w*_\\w{20,}$|It is \\d\\d:\\d\\d now|version \\d+\\.\\d+\\.\\d+$/.test(element.textContent)) element.dataset.varies = element.textContent.length > 20 ? 'sentence' : 'value';
      else if (element.textContent === 'Audit log') element.closest('section').hidden = true;
      else if (element.textContent === 'Cluster Node') element.nextElementSibling.dataset.varies = '';
  }).observe(document, { childList: true, subtree: true, characterData: true });
})`;

test('the main pages of projects and repositories look as they did', async ({
  page,
  browser,
  hub,
  operator,
  devices,
}, info) => {
  const compare = pictureComparison(page, browser, info);
  const project = await createPictureProject({ hub, operator, devices });
  await useSession(page, hub, project.cookie);
  await page.addInitScript({ content: hideWhatVaries });
  // Hours later, so that the seconds that the preparation took are not seen.
  await stopClock(page, project.connectedAtMs + 12_630_000);
  for (const [screen, [last, ...also]] of Object.entries(screens)) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(pathOf(project, screen));
    await expect(page.getByText(last).last()).toBeVisible();
    if (screen === 'device')
      for (const text of ['eth0', 'Lasted', 'Connected For'])
        await expect(page.getByText(text).first()).toBeVisible();
    await compareAll(page, compare, screen, also);
  }
});

/** The pages of people and of the administration, by the name of their pictures, and a text that each shows last. */
const peoplePages = ({
  projectPath,
}: PicturedPeople): Readonly<Record<string, readonly [path: string, ...Screen]>> => ({
  members: [`${projectPath}/members`, 'vera.vet@example.org', 'phone'],
  profile: ['/settings/profile', 'Time zone'],
  security: ['/settings/security', 'Laptop'],
  users: ['/admin/users', 'wilma.warden@example.org'],
  actions: ['/admin/actions?type=projects_CreateProject', 'This is the beginning of the log.'],
  cluster: ['/admin/cluster', 'Connections'],
  'instance settings': ['/admin/settings', 'Send me a test', 'phone'],
});

test('the pages of people and of the administration look as they did', async ({
  page,
  browser,
  startHub,
}, info) => {
  const compare = pictureComparison(page, browser, info);
  const hub = await startHub({ CORRAL_NODE_NAME: 'north' });
  const people = await createPicturedPeople(hub);
  await useSession(page, hub, people.cookie);
  await page.addInitScript({ content: hideWhatVaries });
  await stopClock(page, Date.now() + 12_630_000);
  await page.goto(hub.url);
  const pages = Object.entries(peoplePages(people));
  for (const [name, [path, last, ...also]] of pages) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
    await expect(page.getByText(last).last()).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await compareAll(page, compare, name, also);
    if (name !== 'security') continue;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'New Token' }).click();
    await page.getByRole('combobox', { name: 'Projects' }).click();
    await expect(page.getByRole('option', { name: 'Herd' })).toBeVisible();
    await compareAll(page, compare, 'new token', ['phone']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  // The hub stops before the page does.
  await page.goto('about:blank');
});

/** Compares what is shown with its pictures. */
async function compareAll(
  page: Page,
  compare: ReturnType<typeof pictureComparison>,
  screen: string,
  also: readonly ('dark' | 'phone')[],
): Promise<void> {
  for (const width of also.includes('phone') ? [1280, 390] : [1280]) {
    await showWhole(page, width);
    for (const appearance of width === 1280 && also.includes('dark') ? [light, dark] : [light]) {
      await page.emulateMedia({ colorScheme: appearance.theme });
      await compare(page, `screen ${screen} ${width}`, appearance);
    }
  }
}

/** Makes the window as high as the page is at this width. */
async function showWhole(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  // Components that depend on the width are rendered again with the next frame.
  const height = await page.evaluate<number>(`new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.documentElement.scrollHeight))))`);
  await page.setViewportSize({ width, height });
}

function pathOf({ path, devicePath, repositoryPaths }: PictureProject, screen: string): string {
  const paths: Readonly<Record<string, string>> = { ...repositoryPaths, device: devicePath };
  return paths[screen] ?? `${path}/${screen}`;
}
