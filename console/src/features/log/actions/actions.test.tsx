import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { adminAnswers, loggedAction } from '../../../../test/admin-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';
import { actionSentence } from './action-sentence.ts';
import { parseActionsSearch } from './actions-search.ts';

const address = '/admin/actions';

test('a time range of the URL shows as a chip, and an empty list can be cleared of it', async () => {
  const asked: unknown[] = [];
  const { user, address: at } = renderConsole(`${address}?range=1h`, {
    ...adminAnswers,
    audit_QueryAuditLogActions: ({ since }) => {
      asked.push(since);
      return { actions: since === undefined ? [loggedAction(1, 'devices_DeleteDevice')] : [] };
    },
  });
  expect(await screen.findByText('Nothing matches')).toBeVisible();
  expect(screen.queryByText('No commands')).toBeNull();
  const ranges = () => within(screen.getByRole('group', { name: 'Time' }));
  expect(ranges().getByRole('button', { name: 'Any time' })).toHaveAttribute('aria-pressed', 'false');
  expect(ranges().getByRole('button', { name: '1 h' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(at()).toBe(address));
  expect(await screen.findByText('devices_DeleteDevice')).toBeVisible();
  await user.click(ranges().getByRole('button', { name: '24 h' }));
  await waitFor(() => expect(at()).toBe(`${address}?range=24h`));
  await waitFor(() => expect(asked.at(-1)).toMatch(/Z$/u));
});

test('the numbers of panicked and failed commands stand above the list, and lead to them', async () => {
  let panicked = 2;
  const answers = {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [loggedAction(1, 'devices_DeleteDevice')] }),
    audit_CountAuditLogActions: () => ({ pending: 0, failed: 1000, rejected: 1, panicked }),
  };
  const { user, address: at, unmount } = renderConsole(`${address}?range=24h`, answers);
  expect(await screen.findByRole('link', { name: '1,000 or more commands failed' })).toHaveAttribute(
    'href',
    `${address}?status=Failed`,
  );
  await user.click(screen.getByRole('link', { name: '2 commands panicked' }));
  await waitFor(() => expect(at()).toBe(`${address}?status=Panicked`));
  unmount();
  panicked = 0;
  renderConsole(address, answers);
  await screen.findByRole('link', { name: '1,000 or more commands failed' });
  expect(screen.queryByRole('link', { name: /panicked/u })).toBeNull();
});

test('without a failed command there is no line above the list', async () => {
  renderConsole(address, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [loggedAction(2, 'devices_DeleteDevice')] }),
    audit_CountAuditLogActions: () => ({ pending: 3, failed: 0, rejected: 1, panicked: 0 }),
  });
  expect(await screen.findByRole('button', { name: 'Pending 3' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /failed|panicked/u })).toBeNull();
});

test('integers that no number can hold have all digits in the data of a command', async () => {
  const action = {
    ...loggedAction(1, 'devices_SetDeviceProperty'),
    data: {
      projectId: 'p_7KqW2x9RvHy8cBq1sw7Fd4',
      deviceId: 'd_9fKqW2x9RvHy8cBq1sw7Fd',
      value: [2n ** 64n],
    } as never,
  };
  renderConsole(`${address}?entry=${action.actionId}`, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [action] }),
  });
  const drawer = await screen.findByRole('dialog', {
    name: 'The hub called “set device property” on device …w7Fd',
  });
  expect(drawer).toHaveTextContent('devices_SetDeviceProperty');
  expect(drawer).toHaveTextContent('"value": [ 18446744073709551616 ]');
  expect(drawer).toHaveTextContent('value=18446744073709551616');
});

test('where the hub counted no further, the chips of the outcomes say that there may be more', async () => {
  renderConsole(address, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [loggedAction(1, 'devices_DeleteDevice')] }),
    audit_CountAuditLogActions: () => ({ pending: 1000, failed: 999, rejected: 1000, panicked: 0 }),
  });
  expect(await screen.findByRole('button', { name: 'Pending 1,000+' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Rejected 1,000+' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Failed 999' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Panicked 0' })).toBeVisible();
});

test('the drawer of a command has its JSON, which a button copies', async () => {
  const action = loggedAction(1, 'devices_DeleteDevice');
  const { user } = renderConsole(`${address}?entry=${action.actionId}`, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [action] }),
  });
  vi.stubGlobal('isSecureContext', true);
  const drawer = within(await screen.findByRole('dialog', { name: /called “delete device”/ }));
  expect(drawer.getByRole('heading', { name: 'JSON' })).toBeVisible();
  await user.click(drawer.getByRole('button', { name: 'Copy command as JSON' }));
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual(action);
});

test('the drawer goes on to the next and the previous command by j and k', async () => {
  const newer = loggedAction(2, 'devices_DeleteDevice');
  const older = loggedAction(1, 'projects_DeleteProject');
  const { user, address: at } = renderConsole(`${address}?entry=${newer.actionId}`, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [newer, older] }),
  });
  await screen.findByRole('dialog', { name: /called “delete device”/ });
  await user.keyboard('j');
  expect(await screen.findByRole('dialog', { name: /called “delete project”/ })).toBeVisible();
  expect(at()).toBe(`${address}?entry=${older.actionId}`);
  await user.keyboard('j');
  expect(at()).toBe(`${address}?entry=${older.actionId}`);
  await user.keyboard('k');
  expect(await screen.findByRole('dialog', { name: /called “delete device”/ })).toBeVisible();
});

test('a command that makes something is told by its name, any other by what it is done to', () => {
  const sentence = (action: string, data: object) =>
    actionSentence({ ...loggedAction(1, action), data } as never, new Map())
      .map(({ text }) => text)
      .join('');
  const projectId = 'p_7KqW2x9RvHy8cBq1sw7Fd4';
  expect(sentence('projects_CreateDeploymentToken', { projectId, name: 'Yard' })).toBe(
    'The hub called “create deployment token” for Yard',
  );
  expect(sentence('projects_SetName', { projectId, name: 'Yard' })).toBe('The hub called “set name” on Yard');
  expect(sentence('projects_DeleteProject', { projectId })).toBe(
    'The hub called “delete project” on project …7Fd4',
  );
  expect(sentence('audit_VerifyLog', {})).toBe('The hub called “verify log”');
});

test('bad values of the URL are dropped', () => {
  expect(parseActionsSearch({ range: '2y', status: 'Lost', action: 'x' })).toEqual({});
});

test('the drawer of a command keeps its content while it closes', async () => {
  const action = loggedAction(1, 'devices_DeleteDevice');
  const { user, address: at } = renderConsole(`${address}?entry=${action.actionId}`, {
    ...adminAnswers,
    audit_QueryAuditLogActions: () => ({ actions: [action] }),
  });
  const drawer = await screen.findByRole('dialog', { name: /called “delete device”/ });
  // jsdom has no animations: this one ends with the test.
  const { promise, resolve } = Promise.withResolvers<void>();
  drawer.getAnimations = () => [{ finished: promise }] as never;
  await user.keyboard('{Escape}');
  await waitFor(() => expect(at()).toBe(address));
  await waitFor(() => expect(drawer).toHaveAttribute('data-ending-style'));
  expect(drawer).toHaveTextContent(action.actionId.slice(-4));
  expect(drawer).toHaveTextContent('devices_DeleteDevice');
  resolve();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
