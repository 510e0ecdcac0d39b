import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { newEvent, publishEvents } from '../fixtures/device-events.ts';
import { newProject, newUser, signInByApi, uniqueName, withCookie } from '../fixtures/operator.ts';
import { newRepository, publish } from '../fixtures/repository.ts';
import type { SeededProject } from '../fixtures/seeded-project.ts';
import { cutTypes, narrowTexts, overflowing } from '../fixtures/overflowing.ts';
import { expect, test, useSession } from '../fixtures/test.ts';
import { navigate } from '../fixtures/view-page.ts';

/** 1009 is what a window of 1024 px with a scroll bar leaves. */
const widths = [320, 640, 820, 1009, 1024, 1100, 1280, 1440];

/** The tables of a page by their names, and the columns that the product specification names. */
type Tables = Readonly<Record<string, readonly string[]>>;

const certificates = { Certificates: ['First Seen', 'Status', 'Fingerprint', 'Actions'] };
const log = { Log: ['ID', 'Timestamp', 'Type', 'Actor', 'Data', 'Action/Job'] };

const screens: Readonly<Record<string, [path: (project: SeededProject) => string, tables?: Tables]>> = {
  'the overview': [({ path }) => `${path}/overview`],
  'the events of a project': [({ path }) => `${path}/events`],
  'the projects': [() => '/projects'],
  devices: [
    ({ path }) => `${path}/devices`,
    { Devices: ['Name', 'Id', 'First Seen', 'Status', 'Pending Certificates', 'Actions'] },
  ],
  device: [
    ({ devicePath }) => devicePath,
    {
      ...certificates,
      'Recent Events': ['Severity', 'Emitted At', 'Message', 'Category', 'Attributes'],
      Connections: ['Connected At', 'Connected For', 'Connection Id', 'Cluster Node'],
    },
  ],
  'a pending device': [({ pendingDevicePath }) => pendingDevicePath, certificates],
  'the timeline of a device': [({ pendingDevicePath }) => `${pendingDevicePath}?tab=timeline&span=30d`],
  tokens: [
    ({ path }) => `${path}/tokens`,
    { Tokens: ['Name', 'Created At', 'Token Id', 'Auto Accept', 'Actions'] },
  ],
  log: [({ path }) => `${path}/log`, log],
  'the repositories of a project': [
    ({ path }) => `${path}/repositories`,
    { Repositories: ['ID', 'Name', 'Actions'] },
  ],
  repositories: [() => '/repositories'],
  packages: [({ repository }) => `${repository.path}/packages`, { Packages: ['Name', 'Actions'] }],
  'a package': [
    ({ repository }) => repository.packagePath,
    { Versions: ['Id', 'Created At', 'Tags', 'Actions'] },
  ],
  'a new version': [({ repository }) => `${repository.packagePath}/new`],
  'the settings of a package': [({ repository }) => `${repository.packagePath}/settings`],
  'a version': [
    ({ repository }) => repository.versionPath,
    { Files: ['Filename', 'Digest', 'Size in bytes', 'Actions'] },
  ],
  'files of a package': [({ repository }) => `${repository.packagePath}/files`],
  'a tag history': [({ repository }) => `${repository.packagePath}/tags`],
  'a comparison': [({ repository }) => `${repository.packagePath}/compare?show=all`],
  assets: [
    ({ repository }) => `${repository.path}/assets`,
    { Assets: ['Name', 'Digest', 'Size', 'Actions'] },
  ],
  'the log of a repository': [({ repository }) => `${repository.path}/log`, log],
  'the settings of a repository': [({ repository }) => `${repository.path}/settings`],
  members: [
    ({ path }) => `${path}/members`,
    { Members: ['User', 'Role', 'Actions'], Invitations: ['ID', 'Email'] },
  ],
  sessions: [() => '/settings/sessions', { Sessions: ['User Agent'] }],
  'the dashboard of the administration': [() => '/admin/dashboard'],
  users: [() => '/admin/users', { Users: ['Id', 'Name', 'Email', 'Admin', 'Actions'] }],
  'the log of the instance': [() => '/admin/log', log],
  'the commands of the instance': [
    () => '/admin/actions',
    { Actions: ['ID', 'Type', 'Actor', 'Data', 'Status'] },
  ],
  'the cluster': [() => '/admin/cluster', { Cluster: ['Id', 'Name', 'Uptime'] }],
  jobs: [() => '/admin/jobs', { Jobs: ['ID', 'Timestamp', 'Type', 'Queued', 'Status'] }],
  'the settings of the instance': [() => '/admin/settings'],
  'a document': [() => '/docs/configuration'],
};

/** The columns that the tables of a page should have and do not. */
async function missingColumns(page: Page, tables: Tables): Promise<string[]> {
  const missing: string[] = [];
  for (const [label, columns] of Object.entries(tables)) {
    const shown = await page.getByRole('table', { name: label }).getByRole('columnheader').allInnerTexts();
    missing.push(
      ...columns.filter((column) => !shown.includes(column)).map((column) => `${label}: ${column}`),
    );
  }
  return missing;
}

for (const [name, [pathOf, tables = {}]] of Object.entries(screens))
  test(`at no width anything of ${name} is cut off or scrolls sideways, and from 1009 px on its tables have all columns of the product`, async ({
    viewPages,
    seededProject,
    hub,
  }) => {
    const path = pathOf(seededProject);
    if (name === 'members')
      await withCookie(hub, seededProject.cookie).invoke('projects_InviteProjectMember', {
        projectId: seededProject.projectId,
        email: 'mara.keller@orchard-presses.example.org',
      });
    const viewPage = path.startsWith('/admin') ? viewPages.administrator : viewPages.member;
    const { page } = viewPage;
    await page.setViewportSize({ width: widths[0] ?? 0, height: 900 });
    await viewPage.visit(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    // A hub that has just started has its first job within about a minute.
    if (name === 'jobs') await expect(page.getByText('No jobs')).toHaveCount(0, { timeout: 150_000 });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // A page is measured a moment after its window has changed, and rendered again.
      if (width >= 1009) await expect.poll(() => missingColumns(page, tables), `at ${width} px`).toEqual([]);
      for (const faults of [
        () => overflowing(page),
        () => page.evaluate<string[]>(narrowTexts),
        () => page.evaluate<string[]>(cutTypes),
      ])
        await expect.poll(faults, `at ${width} px`).toEqual([]);
      const lines = page.getByRole('table', { name: 'Certificates' }).getByRole('row').nth(1);
      if (width >= 1009 && (await lines.count()) > 0)
        await expect.poll(async () => (await lines.boundingBox())?.height).toBeLessThan(56);
    }
    viewPage.finish();
  });

/** The beginnings of the texts in a list that a cell cuts off; what a row shows of a long text has a button for the rest. */
function cutOff(page: Page, name: string): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('[aria-label="${name}"] *')]
    .filter((box) => getComputedStyle(box).textOverflow === 'ellipsis' && box.scrollWidth > box.clientWidth && box.clientWidth > 0)
    .map((box) => box.textContent.slice(0, 80))`);
}

/** Scrolls until the end of the page is in sight: rows that were not measured before may add to it. */
async function scrollToEnd(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const left = await page.evaluate<number>('document.documentElement.scrollHeight - scrollY - innerHeight');
    expect(left).toBeLessThan(2);
  }).toPass();
}

test('a long list of events with long texts is a table where there is room, and nothing of it is cut off at any width', async ({
  signedIn: page,
  operator,
}) => {
  const { projectId } = await newProject(operator);
  const { deviceId } = await operator.invoke('devices_CreateDevice', {
    projectId,
    fingerprint: `d_sk_${randomBytes(22).toString('hex').replaceAll('0', 'z')}`,
  });
  const severities = ['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'] as const;
  const firstAtMs = Date.UTC(2026, 0, 1);
  const gates = Array.from({ length: 230 }, (_, index) =>
    newEvent(
      firstAtMs + index * 60_000,
      index % 3 === 0
        ? { gate: index, opened: true }
        : `Gate ${index} opened. ${'The trough beside it is empty. '.repeat(index % 7)}`,
      {
        severity: severities[index % severities.length] ?? 'Info',
        category: index % 5 === 0 ? 'dev.example.gates.north-quay' : 'power',
        attributes: index % 2 === 0 ? { basin: 'north', litres: index, note: 'n'.repeat(60) } : {},
      },
    ),
  );
  await publishEvents(operator, deviceId, gates);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/projects/${projectId}/devices/${deviceId}`);
  const table = page.getByRole('table', { name: 'Recent Events' });
  const cards = page.getByRole('list', { name: 'Recent Events' });
  await expect(table.getByRole('row')).toHaveCount(11);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(table.getByRole('row')).toHaveCount(111);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(table).toHaveAttribute('aria-rowcount', '211');
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(table).toHaveAttribute('aria-rowcount', '231');
  for (const width of [1440, 1280, 1100, 1024, 820, 640, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(table.or(cards)).toHaveCount(1);
    await scrollToEnd(page);
    const last = page.locator('[data-row-index="229"]');
    await expect(last, `the first event at ${width} px`).toContainText('"gate": 0');
    await expect.poll(() => overflowing(page), `at ${width} px`).toEqual([]);
    await expect.poll(() => cutOff(page, 'Recent Events'), `at ${width} px`).toEqual([]);
    if (width === 1440 || width === 820) await expect(table, `at ${width} px`).toBeVisible();
  }
  await page.setViewportSize({ width: 1340, height: 900 });
  await page.getByRole('combobox', { name: 'Filter events' }).fill('category:power');
  await expect(table.getByRole('row')).toHaveCount(11);
});

/** The lines into which the browser breaks the texts of an element. */
function linesOf(element: Locator): Promise<string[]> {
  return element.evaluate((shown) => {
    const { ownerDocument } = shown;
    const texts = ownerDocument.createTreeWalker(shown, 4 /* NodeFilter.SHOW_TEXT */);
    const lines = new Map<number, string>();
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const [at, character] of [...(text.textContent ?? '')].entries()) {
        const range = ownerDocument.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const { top } = range.getBoundingClientRect();
        lines.set(top, `${lines.get(top) ?? ''}${character}`);
      }
    return [...lines.values()];
  });
}

test('between phone and desktop an address wraps behind its @ and its dots, and not inside a word', async ({
  signedIn: page,
  operator,
  project: { projectId },
}) => {
  const email = `bartholomew.featherstonehaugh@${uniqueName('operations')}.logistics.example`;
  await operator.invoke('projects_InviteProjectMember', { projectId, email });
  const member = { email: `member.${email}`, password: 'hayrick-and-harness' };
  const created = await operator.invoke('users_CreateUser', member);
  if (created.result !== 'Created') throw new Error(`There was a user ${member.email} already.`);
  await operator.invoke('projects_AddProjectMember', { projectId, userId: created.userId });
  for (const width of [1280, 1024, 820, 640, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/projects/${projectId}/members`);
    for (const name of ['Members', 'Invitations']) {
      const list = page.getByRole('table', { name }).or(page.getByRole('list', { name }));
      const lines = await linesOf(list.getByText(email).first());
      // A browser also wraps behind a hyphen.
      for (const line of lines.slice(0, -1)) expect(line, `${name} at ${width} px`).toMatch(/[@.-]$/);
    }
  }
});

/** The pages that people keep open, at twice the size of text. */
const largePages = [
  'the overview',
  'the projects',
  'the events of a project',
  'the timeline of a device',
  'the dashboard of the administration',
  'log',
];

for (const name of largePages)
  test(`with text of 200 % and in print nothing of ${name} is cut off or scrolls sideways`, async ({
    viewPages,
    seededProject,
  }) => {
    const path = screens[name]?.[0](seededProject) ?? '';
    const viewPage = path.startsWith('/admin') ? viewPages.administrator : viewPages.member;
    const { page } = viewPage;
    await page.setViewportSize({ width: 1280, height: 900 });
    await viewPage.visit(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await page.evaluate("document.documentElement.style.fontSize = '32px'");
    await expect.poll(() => overflowing(page), 'with text of 200 %').toEqual([]);
    await page.evaluate("document.documentElement.style.fontSize = ''");
    // What is left of the width of a sheet of A4.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print', forcedColors: 'active' });
    await expect.poll(() => overflowing(page), 'in print').toEqual([]);
    await page.emulateMedia({ media: null, forcedColors: null });
    viewPage.finish();
  });

test('on a phone a value of many words fits into the list of commands', async ({ viewPages, operator }) => {
  const displayName = 'a name of many words '.repeat(20);
  const refused = operator.invoke('users_SetUserDisplayName', { userId: operator.userId, displayName });
  await expect(refused).rejects.toThrow('200 characters');
  const { page, visit, finish } = viewPages.administrator;
  await page.setViewportSize({ width: 320, height: 900 });
  await visit('/admin/actions?status=Failed');
  await expect(page.getByRole('button', { name: 'Copy text' }).first()).toBeVisible();
  await expect.poll(() => overflowing(page)).toEqual([]);
  finish();
});

test('on a phone a toast leaves the buttons of a dialog in sight', async ({ signedIn: page, operator }) => {
  const repository = await newRepository(operator);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${repository.path}/settings`);
  const next = uniqueName('renamed');
  await page.getByRole('button', { name: 'Rename Repository' }).click();
  const dialog = page.getByRole('dialog', { name: /^Rename/ });
  await dialog.getByLabel('Name (required)').fill(next);
  await dialog.getByRole('button', { name: 'Rename Repository' }).click();
  const toast = page.getByRole('dialog', { name: `The repository is now called “${next}”` });
  await expect(toast).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Rename Repository' }).click();
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeInViewport({ ratio: 1 });
  const gap = async () => {
    const [over, under] = [await toast.boundingBox(), await cancel.boundingBox()];
    return (under?.y ?? 0) - (over?.y ?? 0) - (over?.height ?? 0);
  };
  await expect.poll(gap).toBeGreaterThan(0);
  await expect(toast).toBeInViewport({ ratio: 1 });
});

test.describe('the longest values that the hub takes, and a zoom of 200 %', () => {
  // What a browser makes of a window of 1280 by 900 at 200 %.
  test.use({ deviceScaleFactor: 2, viewport: { width: 640, height: 450 } });

  test('fit into the pages of people and of the administration', async ({ page, hub, operator }) => {
    const member = await newUser(operator, 'M'.repeat(200));
    const project = await newProject(operator, 'P'.repeat(200));
    const { projectId } = project;
    await operator.invoke('projects_AddProjectMember', { projectId, userId: member.userId });
    const email = `${uniqueName('a').padEnd(200, 'a')}@example.com`;
    await operator.invoke('projects_InviteProjectMember', { projectId, email });
    await useSession(page, hub, operator.cookie);
    const admin = ['dashboard', 'users', 'log', 'actions', 'cluster', 'jobs', 'settings'];
    const own = ['/user/invitations', '/settings/profile', '/settings/security', '/settings/sessions'];
    const paths = [`/projects/${projectId}/members`, ...own, ...admin.map((name) => `/admin/${name}`)];
    await page.goto('/projects');
    for (const each of paths) {
      await navigate(page, each);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      await expect.poll(() => overflowing(page), each).toEqual([]);
    }
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'New Token' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New Token' });
    const submit = dialog.getByRole('button', { name: 'New Token' });
    await submit.scrollIntoViewIfNeeded();
    await expect(submit).toBeInViewport({ ratio: 1 });
    expect(await overflowing(page)).toEqual([]);
  });

  test('fit into every page of a repository', async ({ page, hub, operator }) => {
    const owner = await signInByApi(hub, await newUser(operator, 'W'.repeat(200)));
    const longest = (characters: number) => uniqueName('x').padEnd(characters, 'x');
    const repository = await newRepository(owner, longest(128));
    const published = {
      package: 'p'.repeat(128),
      files: { ['f'.repeat(256)]: 'one', [`${'خ'.repeat(250)}.bin`]: 'two' },
      tags: [{ tag: 't'.repeat(128), locked: true }, { tag: 'latest' }],
      metadata: { ['k'.repeat(200)]: 'v'.repeat(4000) },
    };
    await publish(owner, repository, { ...published, name: 'n'.repeat(200), tags: [{ tag: 'latest' }] });
    const { assetIds, packageId, packagePath, path } = await publish(owner, repository, {
      ...published,
      name: 'm'.repeat(200),
    });
    for (const assetId of assetIds)
      await owner.invoke('repositories_AddPackageAsset', {
        packageId,
        assetId,
        filename: `${assetId}${'f'.repeat(220)}`,
      });
    await owner.invoke('repositories_InviteRepositoryMember', {
      repositoryId: repository.repositoryId,
      email: `${'a'.repeat(200)}@example.com`,
    });
    await useSession(page, hub, owner.cookie);
    const sections = ['packages', 'assets', 'members', 'log', 'settings'].map(
      (section) => `${repository.path}/${section}`,
    );
    const paths = [
      '/repositories',
      ...sections,
      packagePath,
      path,
      `${packagePath}/files`,
      `${packagePath}/tags`,
      `${packagePath}/new`,
      `${packagePath}/settings`,
    ];
    await page.goto('/projects');
    for (const each of [...paths, `${packagePath}/compare?show=all`]) {
      await navigate(page, each);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      await expect.poll(() => overflowing(page), each).toEqual([]);
    }
    await page.goto(`${repository.path}/settings`);
    await page.getByRole('button', { name: 'Rename Repository' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name (required)')).toHaveValue(repository.name);
    const submit = dialog.getByRole('button', { name: 'Rename Repository' });
    await submit.scrollIntoViewIfNeeded();
    await expect(submit).toBeInViewport({ ratio: 1 });
    expect(await overflowing(page)).toEqual([]);
  });
});
