import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { newProject, newToken, newUser, signInByApi, type Operator } from '../fixtures/operator.ts';
import { startFleet } from '../fixtures/fleet.ts';
import { expect, refusedWith, test as base } from '../fixtures/test.ts';

/** A project with a small herd: connected, disconnected and pending devices with names, events and properties; and an empty one. */
interface Pasture {
  /** The session of its owner, `name=value`: one for all tests, so that lists stay as short as people see them. */
  readonly cookie: string;
  readonly full: string;
  readonly empty: string;
  readonly device: string;
  readonly pendingDevice: string;
}

const test = base.extend<object, { pasture: Pasture }>({
  pasture: [
    async ({ hub, operator: administrator }, use) => {
      const operator = await signInByApi(hub, await newUser(administrator, 'Wilma Warden'));
      const project = await newProject(operator, 'Herd');
      const [{ token }, asking] = await Promise.all([
        newToken(operator, project),
        newToken(operator, project, { name: 'asking', autoAccept: false }),
      ]);
      const fleet = await startFleet(hub, { token, askingToken: asking.token, devices: 5 });
      const { device, pendingDevice } = await grown(operator, project.projectId);
      const empty = await newProject(operator, 'Empty');
      await operator.invoke('users_CreateUserToken', { userId: operator.userId, name: 'laptop' });
      const path = `/projects/${project.projectId}`;
      await use({
        cookie: operator.cookie,
        full: path,
        empty: `/projects/${empty.projectId}`,
        device: `${path}/devices/${device}`,
        pendingDevice: `${path}/devices/${pendingDevice}`,
      });
      await fleet.end();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** Waits until the herd is there, one of it connected with events and system information, and one waiting to be let in. */
async function grown(operator: Operator, projectId: `p_${string}`) {
  const list = () => operator.invoke('projects_QueryProjectDevices', { projectId });
  await expect.poll(async () => (await list()).devices.length, { timeout: 30_000 }).toBe(5);
  const isAlive = ({ isConnected }: { isConnected: boolean }) => isConnected;
  await expect.poll(async () => (await list()).devices.some(isAlive), { timeout: 30_000 }).toBe(true);
  const { devices } = await list();
  const device = devices.find(isAlive)?.deviceId ?? devices[0]?.deviceId;
  if (device === undefined) throw new Error('There is no device.');
  const events = () => operator.invoke('devices_QueryDeviceEvents', { deviceId: device });
  await expect.poll(async () => (await events()).events.length, { timeout: 30_000 }).toBeGreaterThan(0);
  const pending = devices.find(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
  return { device, pendingDevice: pending?.deviceId ?? device };
}

interface View {
  readonly name: string;
  readonly path: (pasture: Pasture) => string;
  readonly heading: string | RegExp;
  readonly isPublic?: boolean;
  /** Brings the page into the state to be judged. */
  readonly open?: (page: Page) => Promise<void>;
}

const views: readonly View[] = [
  { name: 'sign-in', path: () => '/login', heading: 'Welcome Back', isPublic: true },
  { name: 'reset password', path: () => '/reset-password', heading: 'Under Construction', isPublic: true },
  { name: 'confirm email', path: () => '/confirm-email', heading: 'Confirm Your Email', isPublic: true },
  {
    name: 'sign-up with mistakes',
    path: () => '/signup',
    heading: 'Create Your Account',
    isPublic: true,
    open: async (page) => {
      await page.getByRole('button', { name: 'Sign Up' }).click();
      await page.getByRole('group', { name: 'need your attention' }).waitFor();
    },
  },
  { name: 'activation', path: () => '/signup/verify', heading: /^Account Activation Failed/, isPublic: true },
  { name: 'not found, signed out', path: () => '/nowhere', heading: 'Page not Found', isPublic: true },
  { name: 'not found', path: () => '/nowhere', heading: 'Page not Found' },
  {
    name: 'the open account menu',
    path: () => '/projects',
    heading: 'Projects',
    open: (page) => openMenu(page, /Wilma Warden/),
  },
  {
    name: 'the open menu of a device',
    path: ({ full }) => `${full}/devices`,
    heading: 'Devices',
    open: (page) => openMenu(page, /^Actions for/),
  },
  { name: 'projects', path: () => '/projects', heading: 'Projects' },
  {
    name: 'create project',
    path: () => '/projects',
    heading: 'Projects',
    open: (page) => openDialog(page, 'Create Project'),
  },
  { name: 'first device', path: ({ empty }) => `${empty}/devices`, heading: 'Devices' },
  { name: 'devices', path: ({ full }) => `${full}/devices`, heading: 'Devices' },
  { name: 'device', path: ({ device }) => device, heading: /./ },
  { name: 'pending device', path: ({ pendingDevice }) => pendingDevice, heading: /./ },
  { name: 'tokens', path: ({ full }) => `${full}/tokens`, heading: 'Tokens' },
  { name: 'no tokens', path: ({ empty }) => `${empty}/tokens`, heading: 'Tokens' },
  {
    name: 'new token',
    path: ({ full }) => `${full}/tokens`,
    heading: 'Tokens',
    open: (page) => openDialog(page, 'New Token'),
  },
  { name: 'log', path: ({ full }) => `${full}/log`, heading: 'Log' },
  { name: 'project settings', path: ({ full }) => `${full}/settings`, heading: 'Settings' },
  {
    name: 'delete project',
    path: ({ full }) => `${full}/settings`,
    heading: 'Settings',
    open: (page) => openDialog(page, 'Delete Project'),
  },
  {
    name: 'the commands of a device',
    path: ({ device }) => device,
    heading: /./,
    open: (page) => page.getByRole('heading', { name: 'Command line' }).click(),
  },
  { name: 'help', path: () => '/help', heading: 'Help' },
  { name: 'profile', path: () => '/settings/profile', heading: 'Profile' },
  { name: 'security', path: () => '/settings/security', heading: 'Security' },
  { name: 'sessions', path: () => '/settings/sessions', heading: 'Sessions' },
];

async function openDialog(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
}

async function openMenu(page: Page, button: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('menu').waitFor();
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const canvases = { light: 'rgb(246, 243, 236)', dark: 'rgb(21, 19, 14)' };

/** What axe finds, in words to read in a failure. */
async function violationsOn(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function adopt(page: Page, hub: { readonly url: string }, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  const { hostname: domain } = new URL(hub.url);
  await page.context().addCookies([{ name, value, domain, path: '/', secure: true, httpOnly: true }]);
}

// Each view is a test of its own on whichever worker is free.
test.describe.configure({ mode: 'parallel' });

for (const { name, path, heading, isPublic = false, open } of views)
  for (const width of [1280, 390])
    test(`axe finds nothing on ${name} at ${width} px, light and dark`, async ({
      page,
      hub,
      pasture,
      provoked,
    }) => {
      if (isPublic) provoked.push(refusedWith(401));
      else await adopt(page, hub, pasture.cookie);
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path(pasture));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      await open?.(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const canvas = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        await expect.poll(canvas).toBe(canvases[colorScheme]);
        expect(await violationsOn(page), colorScheme).toEqual([]);
      }
      const contentWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(contentWidth, 'no sideways scrolling').toBeLessThanOrEqual(width);
    });
