import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/settings`;

test('"settings: Danger Zone with Delete Project.": after its name was typed, and with a count of what goes', async () => {
  const calls: unknown[] = [];
  const { user, address: at } = renderConsole(address, {
    ...projectAnswers,
    projects_DeleteProject: (input) => (calls.push(input), {}),
  });
  expect(await screen.findByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete Project' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete project “Harbour cranes”' });
  expect(dialog).toHaveTextContent('3 devices, 2 deployment tokens, and 1 membership are deleted with it.');
  const verb = () => within(dialog).getByRole('button', { name: /^Delete Project/ });
  await user.click(verb());
  expect(calls).toEqual([]);
  await user.type(within(dialog).getByRole('textbox'), 'Harbour cranes');
  await user.click(verb());
  await waitFor(() => expect(at()).toBe('/projects'));
  expect(calls).toEqual([{ projectId }]);
});

test('the buttons tell a member who is no owner why they are disabled', async () => {
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Harbour cranes',
      deviceCount: 3,
      isOwner: false,
    }),
  });
  expect(await screen.findByRole('button', { name: 'Rename Project' })).toHaveAccessibleDescription(
    'Only an owner of the project may rename it.',
  );
  const button = await screen.findByRole('button', { name: /^Delete Project/ });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription('Only an owner of the project may delete it.');
  await user.click(button);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

test('an owner names the fields that are versions, and leaves them to the hub again', async () => {
  const calls: unknown[] = [];
  let versionFields: string[] | undefined;
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Harbour cranes',
      deviceCount: 3,
      isOwner: true,
      ...(versionFields && { versionFields }),
    }),
    projects_SetVersionFields: (input) => {
      calls.push(input);
      versionFields = input.fields.length === 0 ? undefined : [...input.fields];
      return {};
    },
  });
  const change = async (typed: string) => {
    await user.click(await screen.findByRole('button', { name: 'Change Fields' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Fields that are versions' }));
    const fields = dialog.getByRole('textbox', { name: /^Fields/ });
    await user.clear(fields);
    if (typed !== '') await user.type(fields, typed);
    await user.tab();
    return { dialog, submit: () => user.click(dialog.getByRole('button', { name: 'Change Fields' })) };
  };
  const { dialog } = await change('a b c d e');
  expect(await dialog.findByText('At most 4 fields can be versions.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await (await change(' firmware  ota.version ')).submit();
  expect(
    await screen.findByText('The overview counts the devices by firmware and ota.version.'),
  ).toBeVisible();
  await (await change('')).submit();
  expect(await screen.findByText(/^The overview counts the devices by the agent/)).toBeVisible();
  expect(calls).toEqual([
    { projectId, fields: ['firmware', 'ota.version'] },
    { projectId, fields: [] },
  ]);
});

test('a project is renamed everywhere, a refusal stays in the dialog, and Undo gives it its former name', async () => {
  const calls: unknown[] = [];
  const hub = { name: 'Harbour cranes' };
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({ projectId, name: hub.name, deviceCount: 3, isOwner: true }),
    users_QueryUserProjects: () => ({ projects: [{ projectId, name: hub.name, devices: 3 }] }),
    projects_SetName: (input) => {
      calls.push(input);
      if (input.name === 'Quay') throw new ActionError('Throttled', 'Too many changes. Try again later.');
      hub.name = input.name;
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Rename Project' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename “Harbour cranes”' }));
  const name = dialog.getByLabelText('Name (required)');
  expect(name).toHaveValue('Harbour cranes');
  const type = async (text: string, key = '{Enter}') => {
    await user.clear(name);
    await user.click(name);
    if (text !== '') await user.paste(text);
    await user.keyboard(key);
  };
  await type('', '{Tab}');
  expect(await dialog.findByText('Name must not be empty.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Rename Project' })).toBeDisabled();
  await type('Quay');
  expect(await dialog.findByText('Too many changes. Try again later.')).toBeVisible();
  expect(name).toHaveValue('Quay');
  await type(' Winches ');
  await waitFor(() => expect(name).not.toBeInTheDocument());
  expect(screen.getByText('The project is now called “Winches”')).toBeVisible();
  expect(screen.getByRole('navigation', { name: 'Project' })).toHaveTextContent('Winches');
  await user.click(screen.getByText('Undo'));
  await waitFor(() =>
    expect(calls).toEqual(['Quay', 'Winches', 'Harbour cranes'].map((sent) => ({ projectId, name: sent }))),
  );
  expect((await screen.findAllByText('Harbour cranes'))[0]).toBeVisible();
});

test('the devices of the project are shown beside its quota, and without one where the hub knows none', async () => {
  const details = { projectId, name: 'Harbour cranes', deviceCount: 3 } as const;
  const shown = renderConsole(address, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({ ...details, maxDeviceCount: 200_000 }),
  });
  const meter = await screen.findByRole('meter', { name: 'Devices' });
  expect(meter).toHaveAttribute('aria-valuetext', '3 of 200,000');
  shown.unmount();
  renderConsole(address, { ...projectAnswers, projects_GetProjectDetails: () => details });
  await screen.findByRole('button', { name: 'Rename Project' });
  expect(screen.queryByRole('meter')).not.toBeInTheDocument();
});

test('an owner makes a service account and a token of it that may publish only, sees its tokens, and deletes it', async () => {
  const calls: [string, object][] = [];
  const account = {
    userId: 'u_robot' as const,
    name: 'Build',
    createdAt: '2026-10-02T10:00:00Z',
    tokenCount: 1,
  };
  let serviceAccounts: (typeof account)[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectServiceAccounts: () => ({ serviceAccounts }),
    projects_CreateProjectServiceAccount: (input) => {
      calls.push(['create', input]);
      serviceAccounts = [account];
      return { userId: account.userId };
    },
    users_QueryUserTokens: () => ({
      tokens: [
        {
          tokenId: 'u_pk_1',
          name: 'nightly',
          createdAt: '2026-10-02T10:00:00Z',
          access: 'full',
          verbs: ['publish'],
        },
      ],
    }),
    users_CreateUserToken: (input) => {
      calls.push(['token', input]);
      return { tokenId: 'u_pk_1', token: `u_sk_${'9'.repeat(66)}` };
    },
    users_DeleteServiceAccount: (input) => {
      calls.push(['delete', input]);
      serviceAccounts = [];
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'New Service Account' }));
  const form = within(await screen.findByRole('dialog', { name: 'New Service Account' }));
  await user.type(form.getByRole('textbox', { name: /Name/ }), 'Build{Enter}');
  await user.click(await screen.findByRole('button', { name: 'New token of “Build”' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Token' }));
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'nightly');
  await user.click(dialog.getByRole('combobox', { name: /May/ }));
  await user.click(await screen.findByRole('option', { name: 'Publish packages, versions and their files' }));
  await user.keyboard('{Escape}');
  await user.click(dialog.getByRole('button', { name: 'New Token' }));
  await user.click(await screen.findByRole('button', { name: 'I stored it' }));
  const tokens = within(await screen.findByRole('table', { name: 'Tokens of “Build”' }));
  expect(tokens.getByText('Publish')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete service account “Build”' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('No service accounts')).toBeVisible();
  expect(calls).toEqual([
    ['create', { projectId, name: 'Build' }],
    ['token', { userId: 'u_robot', name: 'nightly', verbs: ['publish'], validForDays: 90 }],
    ['delete', { userId: 'u_robot' }],
  ]);
});
