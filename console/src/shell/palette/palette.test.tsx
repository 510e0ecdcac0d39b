import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { crane, devices, gate, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const otherProject = 'p_B1sW2x9RvHy8cBq1sw7Fd4';
const answers: AnswerTable = {
  ...projectAnswers,
  users_QueryUserProjects: () => ({
    projects: [
      { projectId, name: 'Harbour cranes', devices: 3, owner: 'u_7KqW2x9RvHy8cBq1sw7Fd4' },
      { projectId: otherProject, name: 'Cold chain', devices: 1, owner: 'u_7KqW2x9RvHy8cBq1sw7Fd4' },
    ],
  }),
  projects_QueryProjectDevices: (input) =>
    input.projectId === projectId
      ? { devices }
      : {
          devices: [
            {
              deviceId: 'd_reeferW2x9RvHy8cBq1sw7',
              name: 'reefer-gate',
              firstSeen: '2026-10-01T10:00:00Z',
              isConnected: true,
              pendingCertificatesCount: 0,
            },
          ],
        },
  projects_QueryProjectDeploymentTokens: () => ({ tokens: [] }),
};

beforeEach(() => localStorage.clear());

async function open(address: string, text = '') {
  const view = renderConsole(address, answers);
  await screen.findByRole('heading', { level: 1 });
  await view.user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Go to anything' });
  if (text !== '') await view.user.type(field, text);
  return { ...view, field };
}

const options = () => screen.getAllByRole('option').map((option) => option.textContent);

test('Ctrl K opens the palette with the focus in its field, and closes it again', async () => {
  const { user, field } = await open('/projects');
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('the field in the header opens it, and Escape restores the focus', async () => {
  const { user } = renderConsole('/projects', answers);
  const [button] = await screen.findAllByRole('button', { name: /Go to anything/ });
  await user.click(button as HTMLElement);
  await screen.findByRole('combobox', { name: 'Go to anything' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(button).toHaveFocus());
});

test('devices of the current project come first, then those of all others', async () => {
  await open(`/projects/${projectId}/devices`, 'gate');
  await screen.findByRole('option', { name: /reefer-gate/ });
  expect(options().slice(0, 2)).toEqual([
    expect.stringMatching(/^north-gate/),
    expect.stringMatching(/^reefer-gate/),
  ]);
  const names = screen.getAllByRole('group').map((group) => group.firstElementChild?.textContent);
  expect(names).toEqual(['Devices of Harbour cranes', 'Devices of other projects']);
});

test('an id finds its device, and Enter opens it', async () => {
  const { user, address } = await open('/projects', gate.slice(0, 8).toLowerCase());
  await screen.findByRole('option', { name: /north-gate/ });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe(`/projects/${projectId}/devices/${gate}`));
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('a line that navigates is a real link', async () => {
  await open(`/projects/${projectId}/devices`, 'crane-04');
  const option = await screen.findByRole('option', { name: /crane-04/ });
  expect(option.tagName).toBe('A');
  expect(option).toHaveAttribute('href', `/projects/${projectId}/devices/${crane}`);
});

test('a page is found by its name and by its search terms', async () => {
  const { user, field } = await open(`/projects/${projectId}/devices`, 'audit');
  expect(await screen.findByRole('option', { name: 'Log' })).toHaveAttribute(
    'href',
    `/projects/${projectId}/log`,
  );
  await user.clear(field);
  await user.type(field, 'profile');
  expect(await screen.findByRole('option', { name: 'Profile' })).toHaveAttribute('href', '/settings/profile');
});

test('the actions of the page can be run from the palette', async () => {
  const { user } = await open('/projects', 'create pro');
  await screen.findByRole('option', { name: 'Create Project' });
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Create Project' })).toBeVisible();
});

test('New Token opens the tokens of the project and its dialog', async () => {
  const { user, address } = await open(`/projects/${projectId}/devices`, 'new tok');
  await screen.findByRole('option', { name: 'New Token' });
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'New Token' })).toBeVisible();
  expect(address()).toBe(`/projects/${projectId}/tokens`);
});

test('on the page of a device it copies the ID and links to the parent page', async () => {
  const view = renderConsole(`/projects/${projectId}/devices/${crane}`, {
    ...answers,
    devices_GetDeviceDetails: () => ({
      deviceId: crane,
      projectId,
      name: 'crane-04',
      fingerprintId: 'd_pk_9fKqW2x9RvHy8cBq1sw7Fd',
      isConnected: true,
      metadata: {},
      certificates: [],
      connections: [],
    }),
    devices_QueryDeviceEvents: () => ({ events: [] }),
    devices_QueryDeviceProperties: () => ({ properties: {} }),
  });
  await screen.findByRole('heading', { level: 1, name: 'crane-04' });
  await view.user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Go to anything' });
  expect(await screen.findByRole('option', { name: 'Up to Devices' })).toHaveAttribute(
    'href',
    `/projects/${projectId}/devices`,
  );
  const written = vi.fn(async () => {});
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
  await view.user.type(field, 'copy device');
  await view.user.keyboard('{Enter}');
  await waitFor(() => expect(written).toHaveBeenCalledWith(crane));
  expect(await screen.findByText('Copied device ID')).toBeVisible();
});

test('Shift Enter copies the ID of an entity and keeps the palette open', async () => {
  const { user } = await open(`/projects/${projectId}/devices`, 'crane-04');
  await screen.findByRole('option', { name: /crane-04/ });
  const written = vi.fn(async () => {});
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  await waitFor(() => expect(written).toHaveBeenCalledWith(crane));
  expect(screen.getByRole('combobox')).toBeVisible();
});

test('no result shows what can be found, with working examples', async () => {
  const { user } = await open('/projects', 'xyzzy');
  expect(await screen.findByText('Nothing here is called “xyzzy”')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'theme' }));
  expect(await screen.findByRole('option', { name: 'Theme: Dark' })).toBeVisible();
});

test('Administration shows for administrators only', async () => {
  await open('/projects', 'admin');
  expect(screen.queryByRole('option', { name: 'Administration' })).toBeNull();
});

test('a theme is chosen from the palette', async () => {
  const { user } = await open('/projects', 'dark');
  await screen.findByRole('option', { name: 'Theme: Dark' });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
});

test('without text it shows suggestions', async () => {
  await open(`/projects/${projectId}/devices`);
  const list = await screen.findByRole('listbox');
  expect(within(list).getByText('On this page')).toBeVisible();
  expect(within(list).getByRole('option', { name: /north-gate/ })).toBeVisible();
  expect(within(list).getByRole('option', { name: /Cold chain/ })).toBeVisible();
});

test('the arrow keys move the active line and Enter chooses it', async () => {
  const { user, field, address } = await open('/projects', 'se');
  await screen.findByRole('option', { name: 'Security' });
  const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  const names = options();
  expect(active()).toHaveTextContent(names[0] ?? '');
  await user.keyboard('{ArrowUp}');
  expect(active()).toHaveTextContent(names.at(-1) ?? '');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toHaveTextContent(names[1] ?? '');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toMatch(/^\/settings/));
  await waitFor(() => expect(field).not.toBeInTheDocument());
});

test('keys typed while the palette loads end up in its field and trigger no shortcut', async () => {
  const { user } = renderConsole('/projects', answers);
  await screen.findByRole('heading', { level: 1 });
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
  for (const key of ['c', 'o'])
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const field = await screen.findByRole('combobox', { name: 'Go to anything' });
  expect(field).toHaveValue('co');
  await user.type(field, 'ld');
  expect(await screen.findByRole('option', { name: /Cold chain/ })).toBeVisible();
});

test('a saved view of the open project is found by its name, and opens the list as it was saved', async () => {
  const { user, address } = renderConsole(`/projects/${projectId}/tokens`, {
    ...answers,
    projects_QuerySavedViews: () => ({
      views: [{ name: 'Night shift', filter: 'crane', status: 'connected', columns: ['lastSeen'] }],
    }),
  });
  await screen.findByRole('heading', { level: 1 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Go to anything' }), 'night');
  await user.click(await screen.findByRole('option', { name: /Night shift/ }));
  await waitFor(() =>
    expect(address()).toBe(`/projects/${projectId}/devices?q=crane&status=connected&columns=lastSeen`),
  );
});

test('visited pages come first while nothing is typed, without the open page and deleted things', async () => {
  const first = renderConsole(`/projects/${projectId}/devices/${gate}`, answers);
  await screen.findByRole('heading', { level: 1, name: 'north-gate' });
  first.unmount();
  const second = renderConsole(`/projects/${projectId}/devices/${crane}`, answers);
  await screen.findByRole('heading', { level: 1, name: 'crane-04' });
  await second.user.keyboard('{Control>}k{/Control}');
  const recent = () => within(screen.getByRole('group', { name: 'Recent' })).getAllByRole('option');
  await waitFor(() =>
    expect(recent().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^north-gatedevice/),
    ]),
  );
  second.unmount();
  renderConsole(`/projects/${projectId}/devices/${gate}`, {
    ...answers,
    projects_QueryProjectDevices: () => ({ devices: devices.filter(({ deviceId }) => deviceId !== gate) }),
    devices_GetDeviceDetails: () => {
      throw new ActionError('Invalid', 'There is no such device.');
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Page not Found' });
  expect(localStorage.getItem('corral.recent')).not.toContain(gate);
});
