import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  adminAnswers,
  clusterNode,
  listedJob,
  listedUser,
  loggedAction,
  noDeletion,
} from '../../../test/admin-answers.ts';
import { held, renderConsole, signedIn, userId } from '../../../test/render-console.tsx';
import { rowsPerPage } from '../../parts/list-limits.ts';

test('"/admin: index redirects to /admin/dashboard"', async () => {
  const { address } = renderConsole('/admin', adminAnswers);
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(address()).toBe('/admin/dashboard');
});

const addresses = ['/admin', '/admin/dashboard', '/admin/users', '/admin/users/new', '/admin/log'].concat([
  '/admin/actions',
  '/admin/cluster',
  '/admin/jobs',
]);

test.each(addresses)('%s does not exist for others, and asks the hub for nothing', async (address) => {
  const asked: string[] = [];
  const answers = Object.fromEntries(
    Object.keys(adminAnswers)
      .filter((name) => !Object.hasOwn(signedIn, name))
      .map((name) => [name, () => asked.push(name)]),
  );
  renderConsole(address, { ...signedIn, ...answers } as never);
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
  expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull();
  expect(asked).toEqual([]);
});

test('"Administration (admins only)" is in the account menu of administrators', async () => {
  const { user, unmount } = renderConsole('/settings/profile', adminAnswers);
  await user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  expect(await screen.findByRole('menuitem', { name: 'Administration' })).toHaveAttribute('href', '/admin');
  unmount();
  const other = renderConsole('/settings/profile', signedIn);
  await other.user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  await screen.findByRole('menuitem', { name: 'Settings' });
  expect(screen.queryByRole('menuitem', { name: 'Administration' })).toBeNull();
});

test('"dashboard: counts for devices, projects, users and cluster nodes"', async () => {
  renderConsole('/admin/dashboard', adminAnswers);
  const main = within(await screen.findByRole('main'));
  const links = await main.findAllByRole('link', { name: /^(Devices|Projects|Users|Cluster nodes)/ });
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Devices1,240',
    'Projects7',
    'Users42',
    'Cluster nodes1',
  ]);
  const hrefs = links.map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual(['/projects', '/projects', '/admin/users', '/admin/cluster']);
});

test('"jobs: ID, Timestamp, Type, Queued, Status. Not in the admin navigation"', async () => {
  renderConsole('/admin/jobs', adminAnswers);
  expect(await screen.findByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
  const links = within(screen.getByRole('navigation', { name: 'Administration' })).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Dashboard',
    'Users',
    'Alerts',
    'Log',
    'Actions',
    'Cluster',
    'Settings',
  ]);
});

test.each(['cluster', 'dashboard'])('the %s page names the nodes that cannot reach NATS', async (page) => {
  let isBusConnected = false;
  const nodes = () => [clusterNode(1, 'quay'), { ...clusterNode(2, 'winch'), isBusConnected }];
  const answers = { ...adminAnswers, cluster_GetClusterDetails: () => ({ nodes: nodes() }) };
  const { unmount } = renderConsole(`/admin/${page}`, answers);
  const notice = await screen.findByRole('note');
  expect(notice).toHaveTextContent('NATS cannot be reached');
  expect(notice).toHaveTextContent('Not connected: winch.');
  unmount();
  isBusConnected = true;
  renderConsole(`/admin/${page}`, answers);
  await screen.findByText(page === 'cluster' ? 'winch' : 'Cluster nodes');
  expect(screen.queryByRole('note')).toBeNull();
});

const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('"Admin New User: name optional, email required, isAdmin checkbox"', async () => {
  const created: unknown[] = [];
  const { user, address } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_CreateUser: (input) => {
      created.push(input);
      return { result: 'Created', userId: 'u_3' };
    },
  });
  await user.click(await screen.findByRole('link', { name: 'New User' }));
  const dialog = await dialogOf('New User');
  const submit = dialog.getByRole('button', { name: 'New User' });
  expect(submit).toBeDisabled();
  await user.type(dialog.getByRole('textbox', { name: /Email/ }), 'bea@harbour.example');
  await user.click(dialog.getByRole('checkbox', { name: /Administrator/ }));
  await user.click(submit);
  await waitFor(() => expect(address()).toBe('/admin/users'));
  expect(created).toEqual([{ email: 'bea@harbour.example', isAdmin: true, sendPasswordLink: true }]);
});

test('the fields of a new user keep their text after Escape', async () => {
  const { user, address } = renderConsole('/admin/users', adminAnswers);
  await user.click(await screen.findByRole('link', { name: 'New User' }));
  const email = async () => (await dialogOf('New User')).getByRole('textbox', { name: /Email/ });
  await user.type(await email(), 'bea@harbour');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(address()).toBe('/admin/users'));
  await user.click(await screen.findByRole('link', { name: 'New User' }));
  expect(await email()).toHaveValue('bea@harbour');
});

test('"result other than Created gives User with that email already exists" and "User creation result: Created; otherwise message says the email already exists."', async () => {
  const { user } = renderConsole('/admin/users/new', {
    ...adminAnswers,
    users_CreateUser: () => ({ result: 'EmailAlreadyExists' }),
  });
  const dialog = await dialogOf('New User');
  await user.type(dialog.getByRole('textbox', { name: /Email/ }), 'ann@harbour.example');
  await user.click(dialog.getByRole('button', { name: 'New User' }));
  expect(await dialog.findByText('User with that email already exists')).toBeVisible();
});

test('"a thrown error shows its message or An error occurred while creating the user"', async () => {
  let message = 'The hub is full.';
  const { user } = renderConsole('/admin/users/new', {
    ...adminAnswers,
    users_CreateUser: () => {
      throw new ActionError('Internal', message);
    },
  });
  const dialog = await dialogOf('New User');
  await user.type(dialog.getByRole('textbox', { name: /Email/ }), 'ann@harbour.example');
  await user.click(dialog.getByRole('button', { name: 'New User' }));
  expect(await dialog.findByText('The hub is full.')).toBeVisible();
  message = '';
  await user.click(dialog.getByRole('button', { name: 'New User' }));
  expect(await dialog.findByText('An error occurred while creating the user.')).toBeVisible();
});

test('the dialog of a deletion opens at once and lists what goes, and a refusal is said instead of it', async () => {
  const listed = {
    ...noDeletion,
    projects: [{ projectId: 'p_1' as const, name: 'Quay', devices: 2 }],
    projectCount: 3,
    tokenCount: 1,
  };
  let deletion = held<typeof listed & { refusal?: string }>();
  const { user } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_GetUserDeletion: () => deletion.promise,
  });
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'Actions for ann@harbour.example' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    return within(await screen.findByRole('alertdialog', { name: 'Delete user ann@harbour.example' }));
  };
  const dialog = await ask();
  expect(dialog.getByText('Loading what is deleted with it...')).toBeVisible();
  deletion.resolve(listed);
  expect(await dialog.findByText('This goes with it:')).toBeVisible();
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'project Quay with 2 devices',
    '2 further projects',
    '1 user token',
  ]);
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  deletion = held();
  const again = await ask();
  expect(again.getByText('Loading what is deleted with it...')).toBeVisible();
  const refusal = 'The project "Quay" has other members and no other owner.';
  deletion.resolve({ ...listed, refusal });
  expect(await again.findByRole('alert')).toHaveTextContent(refusal);
  expect(again.queryByText('This goes with it:')).toBeNull();
  await user.click(again.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  deletion = held();
  const unread = await ask();
  deletion.reject(new ActionError('Forbidden', 'Only administrators may do this.'));
  expect(await unread.findByRole('alert')).toHaveTextContent('Only administrators may do this.');
});

test('administrators can neither disable nor delete themselves', async () => {
  const { user } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_QueryUsers: () => ({ users: [{ ...listedUser(1, 'mara'), userId, isAdmin: true }] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Actions for mara@harbour.example' }));
  for (const name of ['Disable', 'Delete'])
    expect(await screen.findByRole('menuitem', { name: new RegExp(`^${name}`) })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
});

test('the chips of users and of commands filter at the hub, in the URL', async () => {
  const asked: unknown[] = [];
  const { user, address, unmount } = renderConsole('/admin/users', {
    ...adminAnswers,
    users_QueryUsers: ({ isAdmin, isDisabled }) => {
      asked.push([isAdmin, isDisabled]);
      return { users: [listedUser(1, 'ann')] };
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Disabled/ }));
  await waitFor(() => expect(address()).toBe('/admin/users?show=disabled'));
  await waitFor(() => expect(asked).toContainEqual([undefined, true]));
  unmount();
  const statuses: unknown[] = [];
  const actions = renderConsole('/admin/actions', {
    ...adminAnswers,
    audit_QueryAuditLogActions: ({ status }) => {
      statuses.push(status);
      return { actions: [loggedAction(1, 'devices_DeleteDevice')] };
    },
  });
  await actions.user.click(await screen.findByRole('button', { name: 'Failed 2' }));
  await waitFor(() => expect(actions.address()).toBe('/admin/actions?status=Failed'));
  await waitFor(() => expect(statuses).toContain('Failed'));
});

test('a failed job is tried again, and a waiting one shows what is left and is cancelled after a prompt', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole('/admin/jobs', {
    ...adminAnswers,
    jobs_QueryJobs: () => ({
      jobs: [
        { ...listedJob(1, 'sweep', 'Failed'), examined: 12_000 },
        { ...listedJob(2, 'scrub', 'Pending'), remaining: 99_750 },
      ],
    }),
    jobs_RetryJob: (input) => (calls.push(input), {}),
    jobs_CancelJob: (input) => (calls.push(input), {}),
  });
  expect(await screen.findByText('The disk is full.')).toBeVisible();
  expect(screen.getByText('99,750 left')).toBeVisible();
  expect(screen.getByText('12,000 objects examined')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry sweep' }));
  expect(await screen.findByText('sweep is queued again')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel scrub' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel scrub' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel job' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls).toEqual([
    { jobId: listedJob(1, '', 'Failed').jobId },
    { jobId: listedJob(2, '', 'Pending').jobId },
  ]);
});

test('a running command shows its outcome when it ends', async () => {
  const action = { ...loggedAction(1, 'devices_DeleteDevice'), createdAt: new Date().toISOString() };
  let status: 'Pending' | 'Succeeded' = 'Pending';
  renderConsole('/admin/actions', {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [{ ...action, status }] }),
  });
  const table = within(await screen.findByRole('table', { name: 'Actions' }));
  expect(table.getByText('Pending')).toBeVisible();
  status = 'Succeeded';
  expect(await table.findByText('Succeeded', {}, { timeout: 30_000 })).toBeVisible();
});

test('a command and its events lead to each other', async () => {
  const filters: unknown[] = [];
  const action = loggedAction(1, 'devices_DeleteDevice');
  const { user, address } = renderConsole(`/admin/actions?entry=${action.actionId}`, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [action] }),
    audit_QueryAuditLogEvents: ({ actionId }) => {
      filters.push(actionId);
      return { events: [] };
    },
  });
  await user.click(await screen.findByRole('link', { name: 'Show its events' }));
  await waitFor(() => expect(address()).toBe(`/admin/log?action=${action.actionId}`));
  await waitFor(() => expect(filters).toContain(action.actionId));
});

test('"Administrators (isAdmin true) get an administration area: dashboard, users, event log, actions log, cluster, jobs.": the palette finds them', async () => {
  const { user, address } = renderConsole('/settings/profile', adminAnswers);
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'cluster');
  await user.click(await screen.findByRole('option', { name: /Cluster/ }));
  await waitFor(() => expect(address()).toBe('/admin/cluster'));
});

test('clearing a search that found nobody keeps the field, while the whole list is on its way', async () => {
  const many = Array.from({ length: rowsPerPage }, (_, index) => listedUser(index, `person-${index}`));
  const { user } = renderConsole('/admin/users?sort=-email&q=nobody', {
    ...adminAnswers,
    users_QueryUsers: ({ order, search }) => {
      if (order === undefined) return { users: many, next: 'more' };
      return search === undefined ? new Promise<never>(() => {}) : { users: [] };
    },
  });
  expect(await screen.findByText('Nothing matches')).toBeVisible();
  await user.clear(screen.getByRole('searchbox'));
  await waitFor(() => expect(screen.queryByText('Nothing matches')).toBeNull());
  expect(screen.getByRole('searchbox')).toHaveFocus();
});
