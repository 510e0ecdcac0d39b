import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';

afterEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['shortcuts'];
});

async function openProjects(isAdmin = false) {
  const view = renderConsole('/settings/profile', {
    ...signedIn,
    users_GetUserDetails: ({ userId }) => ({ userId, email: 'mara@harbour.example', isAdmin }),
    instance_GetInstanceStatistics: () => ({ users: 1, projects: 1, devices: 1 }),
    cluster_GetClusterDetails: () => ({ nodes: [] }),
  });
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  return view;
}

test('g p goes to the projects, g r to the repositories', async () => {
  const { user, address } = await openProjects();
  await user.keyboard('gp');
  await waitFor(() => expect(address()).toBe('/projects'));
  await user.keyboard('gr');
  await waitFor(() => expect(address()).toBe('/repositories'));
});

test('g a goes to the administration, for administrators only', async () => {
  const { user, address } = await openProjects();
  await user.keyboard('ga');
  expect(address()).toBe('/settings/profile');
});

test('g a goes to the administration', async () => {
  const { user, address } = await openProjects(true);
  await user.keyboard('ga');
  await waitFor(() => expect(address()).toBe('/admin/dashboard'));
});

test('c creates where the page has something to create', async () => {
  const { user } = renderConsole('/projects', signedIn);
  await screen.findByRole('button', { name: 'Create Project' });
  await user.keyboard('c');
  expect(await screen.findByRole('dialog', { name: 'Create Project' })).toBeVisible();
});

test('c connects a device on the list of devices', async () => {
  const { user } = renderConsole(`/projects/${projectId}/devices`, {
    ...projectAnswers,
    projects_QueryProjectDeploymentTokens: () => ({ tokens: [] }),
  });
  await screen.findByRole('button', { name: 'Connect a device' });
  await user.keyboard('c');
  expect(await screen.findByRole('dialog', { name: 'Connect a device' })).toBeVisible();
});

test('? shows every shortcut', async () => {
  const { user } = await openProjects();
  await user.keyboard('?');
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(sheet).getByText('Go to anything')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('single-key shortcuts do nothing while the user types', async () => {
  const { user, address } = await openProjects();
  await user.type(screen.getByRole('textbox', { name: /Display name/ }), 'gp?c');
  expect(address()).toBe('/settings/profile');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('single-key shortcuts can be switched off in the profile, and the choice is kept', async () => {
  const { user, address } = await openProjects();
  await user.click(screen.getByRole('switch', { name: 'Single-key shortcuts' }));
  expect(document.documentElement.dataset['shortcuts']).toBe('off');
  expect(localStorage.getItem('corral.shortcuts')).toBe('off');
  await user.keyboard('gp?');
  expect(address()).toBe('/settings/profile');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('combobox', { name: 'Go to anything' })).toBeVisible();
});
