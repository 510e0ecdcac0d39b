import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole, signedIn, userId } from '../../../test/render-console.tsx';

const project = (name: string, devices: number, connectedDevices: number, pendingCertificates = 0) => ({
  projectId: `p_${name.replace(' ', '')}` as const,
  name,
  devices,
  connectedDevices,
  pendingCertificates,
});

const herd = [
  project('Barn', 4, 4),
  project('Cold chain', 10, 9),
  project('Dock', 0, 0),
  project('Harbour', 148, 143, 1),
  project('Mill', 1, 1),
];

const withProjects = (projects: readonly ReturnType<typeof project>[]) => ({
  ...signedIn,
  users_QueryUserProjects: () => ({ projects: [...projects] }),
});

const titles = () =>
  screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

test('"/projects: card grid (3 columns) of projects with name and device count, with a Create Project dialog.": projects that need attention come first', async () => {
  renderConsole('/projects', withProjects(herd));
  expect(await screen.findByText('143 of 148 devices connected')).toBeVisible();
  expect(screen.getByText('all 4 devices connected')).toBeVisible();
  expect(screen.getByText('1 device, connected')).toBeVisible();
  expect(screen.getByText('0 devices')).toBeVisible();
  expect(screen.getByText('No devices yet')).toBeVisible();
  expect(screen.getByText('5 projects, 163 devices')).toBeVisible();
  expect(titles()).toEqual(['Harbour', 'Cold chain', 'Barn', 'Dock', 'Mill']);
});

test('the order is in the URL; an invalid one falls back to the default', async () => {
  const { user, address } = renderConsole('/projects?sort=nonsense', withProjects(herd));
  expect(await screen.findByText('143 of 148 devices connected')).toBeVisible();
  expect(titles()[0]).toBe('Harbour');
  await user.click(screen.getByRole('button', { name: 'By name' }));
  await waitFor(() => expect(titles()).toEqual(['Barn', 'Cold chain', 'Dock', 'Harbour', 'Mill']));
  expect(address()).toBe('/projects?sort=name');
});

test('a live change shows at once and keeps the order of the cards', async () => {
  let connected = 143;
  const { stream } = renderConsole('/projects', {
    ...signedIn,
    users_QueryUserProjects: () => ({
      projects: [...herd.slice(0, 3), project('Harbour', 148, connected, 0)],
    }),
  });
  expect(await screen.findByText('143 of 148 devices connected')).toBeVisible();
  const before = titles();
  connected = 148;
  stream()?.onChange({ topic: 'connections', projectId: 'p_Harbour', deviceId: 'd_1' });
  expect(await screen.findByText('all 148 devices connected')).toBeVisible();
  expect(titles()).toEqual(before);
  expect(screen.getByText('Live')).toBeInTheDocument();
});

test('a pinned project comes first and stays pinned in this browser', async () => {
  const { user, unmount } = renderConsole('/projects', withProjects(herd));
  await user.click(await screen.findByRole('button', { name: 'Pin Barn' }));
  await waitFor(() => expect(titles()[0]).toBe('Barn'));
  unmount();
  renderConsole('/projects', withProjects(herd));
  expect(await screen.findByRole('button', { name: 'Pin Barn', pressed: true })).toBeVisible();
  expect(titles()[0]).toBe('Barn');
  localStorage.clear();
});

test('without projects the page shows how to create one', async () => {
  const { user } = renderConsole('/projects', signedIn);
  expect(await screen.findByRole('heading', { name: 'Create your first project' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create Project' }));
  expect(await screen.findByRole('dialog', { name: 'Create Project' })).toBeVisible();
});

test('Create Project refuses an empty name, creates the project and opens it', async () => {
  const calls: unknown[] = [];
  const { user, address } = renderConsole('/projects', {
    ...signedIn,
    projects_CreateProject: (input) => {
      calls.push(input);
      if (input.name === 'Full')
        throw new ActionError('Invalid', 'You own 1000 projects, which is the limit.');
      return { result: 'Created', projectId: 'p_new' };
    },
    projects_GetProjectDetails: ({ projectId }) => ({ projectId, name: 'Harbour', deviceCount: 0 }),
    projects_QueryProjectDevices: () => ({ devices: [] }),
    projects_QueryProjectDeploymentTokens: () => ({ tokens: [] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Create Project' }));
  const dialog = within(await screen.findByRole('dialog'));
  const name = dialog.getByRole('textbox', { name: /Name/ });
  expect(dialog.getByRole('button', { name: 'Create Project' })).toBeDisabled();
  await user.type(name, 'x');
  await user.clear(name);
  await user.tab();
  expect(dialog.getByText('Name must not be empty.')).toBeVisible();
  await user.type(name, 'Full{Enter}');
  expect(await dialog.findByText('You own 1000 projects, which is the limit.')).toBeVisible();
  await user.clear(name);
  await user.type(name, 'Harbour{Enter}');
  await waitFor(() => expect(address()).toMatch(/^\/projects\/p_new/));
  expect(calls).toEqual([
    { name: 'Full', owner: userId },
    { name: 'Harbour', owner: userId },
  ]);
});

test('the only project has the page for itself: its last day as a chart, and what was done', async () => {
  const steps = Array.from({ length: 288 }, () => 4);
  renderConsole('/projects', {
    ...withProjects(herd.slice(0, 1)),
    projects_QueryHistory: () => ({
      from: '2026-11-01T00:00:00Z',
      stepSeconds: 300,
      watched: steps.map(() => 300),
      connected: steps,
      connectedLow: steps,
      connectedHigh: steps,
      gaps: [{ from: '2026-11-01T03:00:00Z', to: '2026-11-01T03:05:00Z' }],
      events: [],
      inventedUntil: '2026-11-01T09:00:00Z',
    }),
    projects_QueryAuditLog: () => ({
      events: ['two', 'one'].map((name) => ({
        eventId: `audit_evt_${name}`,
        event: 'devices_NameChanged',
        actor: { kind: 'System' },
        createdAt: '2026-11-01T10:00:00Z',
        data: { name },
      })),
    }),
  } as never);
  expect(await screen.findByText(/and 1 more$/u)).toBeVisible();
  expect(await screen.findByRole('img', { name: '4 connected all day' })).toBeVisible();
  expect(screen.getByText(/^the hub was away/u)).toBeVisible();
  expect(screen.getByText(/^The past before .* is invented for this demo\.$/u)).toBeVisible();
});
