import type { SeededProject } from '../fixtures/seeded-project.ts';
import { expect, test, useSession } from '../fixtures/test.ts';

const widths = [640, 820, 1024, 1100, 1440];

const screens: Readonly<Record<string, (project: SeededProject) => string>> = {
  devices: ({ path }) => `${path}/devices`,
  device: ({ devicePath }) => devicePath,
  tokens: ({ path }) => `${path}/tokens`,
  log: ({ path }) => `${path}/log`,
  'the repositories of a project': ({ path }) => `${path}/repositories`,
  repositories: () => '/repositories',
  packages: ({ repository }) => `${repository.path}/packages`,
  'a package': ({ repository }) => repository.packagePath,
  'a version': ({ repository }) => repository.versionPath,
  'a tag history': ({ repository }) => `${repository.packagePath}/tags`,
  'a comparison': ({ repository }) => `${repository.packagePath}/compare?show=all`,
  assets: ({ repository }) => `${repository.path}/assets`,
  'the log of a repository': ({ repository }) => `${repository.path}/log`,
  'the settings of a repository': ({ repository }) => `${repository.path}/settings`,
  members: ({ path }) => `${path}/members`,
  'the dashboard of the administration': () => '/admin/dashboard',
  users: () => '/admin/users',
  'the log of the instance': () => '/admin/log',
  'the commands of the instance': () => '/admin/actions',
  'the cluster': () => '/admin/cluster',
  jobs: () => '/admin/jobs',
  'the settings of the instance': () => '/admin/settings',
};

for (const [name, pathOf] of Object.entries(screens))
  test(`between phone and desktop nothing of ${name} is cut off or scrolls sideways`, async ({
    page,
    hub,
    operator,
    seededProject,
  }) => {
    const path = pathOf(seededProject);
    await useSession(page, hub, path.startsWith('/admin') ? operator.cookie : seededProject.cookie);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const overflowing = () =>
        page.evaluate<
          string[]
        >(`[document.documentElement, ...document.querySelectorAll('main div, header div, aside')]
          .filter((box) => getComputedStyle(box).overflowX !== 'visible' || box === document.documentElement)
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => box.outerHTML.slice(0, 200))`);
      await expect.poll(overflowing, `at ${width} px`).toEqual([]);
      const narrowest = await page.evaluate<number>(`Math.min(999,
        ...[...document.querySelectorAll('main td')].filter((cell) => cell.textContent.trim().length > 3).map((cell) => cell.clientWidth))`);
      expect(narrowest, `the narrowest cell with text at ${width} px`).toBeGreaterThan(60);
    }
  });
