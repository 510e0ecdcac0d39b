import type { Id } from '@corral/contract';
import { withCookie } from '../fixtures/operator.ts';
import type { SeededProject } from '../fixtures/seeded-project.ts';
import { expect, test } from '../fixtures/test.ts';

const log = ['ID', 'Timestamp', 'Type', 'Actor', 'Data', 'Action/Job'];
const members = { Members: ['User', 'Role', 'Actions'], Invitations: ['ID', 'Email'] };

/** The tables of the product specification by the page that has them, and the columns that it names. */
const pages: Readonly<
  Record<
    string,
    [path: (seeded: SeededProject) => string, tables: Readonly<Record<string, readonly string[]>>]
  >
> = {
  devices: [
    ({ path }) => `${path}/devices`,
    { Devices: ['Name', 'Id', 'First Seen', 'Status', 'Pending Certificates', 'Actions'] },
  ],
  'a device': [
    ({ devicePath }) => devicePath,
    {
      Certificates: ['First Seen', 'Status', 'Fingerprint', 'Actions'],
      'Recent Events': ['Severity', 'Emitted At', 'Message', 'Category', 'Attributes'],
      Connections: ['Connected At', 'Connected For', 'Connection Id', 'Cluster Node'],
    },
  ],
  'a pending device': [
    ({ pendingDevicePath }) => pendingDevicePath,
    { Certificates: ['First Seen', 'Status', 'Fingerprint', 'Actions'] },
  ],
  members: [({ path }) => `${path}/members`, members],
  tokens: [
    ({ path }) => `${path}/tokens`,
    { Tokens: ['Name', 'Created At', 'Token Id', 'Auto Accept', 'Actions'] },
  ],
  log: [({ path }) => `${path}/log`, { Log: log }],
  'linked repositories': [({ path }) => `${path}/repositories`, { Repositories: ['ID', 'Name', 'Actions'] }],
  packages: [({ repository }) => `${repository.path}/packages`, { Packages: ['Name', 'Actions'] }],
  'a package': [
    ({ repository }) => repository.packagePath,
    { Versions: ['Id', 'Created At', 'Tags', 'Actions'] },
  ],
  'a version': [
    ({ repository }) => repository.versionPath,
    { Files: ['Filename', 'Digest', 'Size in bytes', 'Actions'] },
  ],
  assets: [
    ({ repository }) => `${repository.path}/assets`,
    { Assets: ['Name', 'Digest', 'Size', 'Actions'] },
  ],
  'the log of a repository': [({ repository }) => `${repository.path}/log`, { Log: log }],
  sessions: [() => '/settings/sessions', { Sessions: ['User Agent'] }],
  users: [() => '/admin/users', { Users: ['Id', 'Name', 'Email', 'Admin', 'Actions'] }],
  'the log of the instance': [() => '/admin/log', { Log: log }],
  actions: [() => '/admin/actions', { Actions: ['ID', 'Type', 'Actor', 'Data', 'Status'] }],
  cluster: [() => '/admin/cluster', { Cluster: ['Id', 'Name', 'Uptime'] }],
  jobs: [() => '/admin/jobs', { Jobs: ['ID', 'Timestamp', 'Type', 'Queued', 'Status'] }],
};

for (const [name, [pathOf, tables]] of Object.entries(pages))
  test(`${name} is a table with all columns of the product from 1024 px on, and no type in it is cut`, async ({
    viewPages,
    seededProject,
    hub,
  }) => {
    const path = pathOf(seededProject);
    if (name === 'members') await invite(withCookie(hub, seededProject.cookie), seededProject.projectId);
    const viewPage = path.startsWith('/admin') ? viewPages.administrator : viewPages.member;
    const { page } = viewPage;
    // The width that a window of 1024 px with a scroll bar leaves is one of them.
    await page.setViewportSize({ width: 1009, height: 900 });
    await viewPage.visit(path);
    for (const width of [1024, 1009, 1100, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [label, columns] of Object.entries(tables)) {
        const heads = page.getByRole('table', { name: label }).getByRole('columnheader');
        // A table is measured a moment after the window has changed.
        await expect(async () => {
          const shown = await heads.allInnerTexts();
          expect(
            columns.filter((column) => !shown.includes(column)),
            `${label} at ${width} px`,
          ).toEqual([]);
        }).toPass();
      }
      expect(await page.evaluate<string[]>(cutTypes), `at ${width} px`).toEqual([]);
      const lines = page.getByRole('table', { name: 'Certificates' }).getByRole('row').nth(1);
      if ((await lines.count()) > 0) expect((await lines.boundingBox())?.height).toBeLessThan(56);
    }
    viewPage.finish();
  });

/** The types of log entries that are wider than their cells. */
const cutTypes = `[...document.querySelectorAll('td button')].filter((type) => /^[a-z]+_[A-Z]/.test(type.textContent))
  .filter((type) => type.scrollWidth > type.clientWidth || type.getBoundingClientRect().right > type.closest('td').getBoundingClientRect().right)
  .map((type) => type.textContent)`;

async function invite({ invoke }: ReturnType<typeof withCookie>, projectId: Id<'project'>): Promise<void> {
  await invoke('projects_InviteProjectMember', {
    projectId,
    email: 'mara.keller@orchard-presses.example.org',
  });
}
