import type { Actor, AuditLogEvent } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { crane, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, userId } from '../../../test/render-console.tsx';
import { actorText } from '../../parts/ActorView.tsx';
import { pathOfId } from '../../parts/id-path.ts';
import { downloadText } from '../../ui/text/download-text.ts';
import { logFilterOf, matchesSearch } from './log-filter.ts';
import { parseLogSearch } from './log-search.ts';
import { logPageSize } from './use-log-pages.ts';
import { chooseInTableMenu } from '../../../test/table-menu.ts';

vi.mock('../../ui/text/download-text.ts', () => ({ downloadText: vi.fn() }));

const address = `/projects/${projectId}/log`;
const me: Actor = { actor: 'User', kind: 'User', userId };
const system: Actor = { actor: 'System', kind: 'System' };

function entry(number: number, more: Partial<AuditLogEvent> = {}): AuditLogEvent {
  return {
    eventId: `audit_ev_20261002-1000-${String(number).padStart(8, 'a')}`,
    actor: system,
    event: 'devices_Created',
    data: { projectId, name: `device ${number}`, deviceId: crane },
    createdAt: new Date(Date.now() - number * 60_000).toISOString(),
    ...more,
  } as AuditLogEvent;
}

const two = [entry(1, { actor: me, event: 'devices_NameChanged' }), entry(2)];

test('data shows as key=value badges sorted by key, without projectId', async () => {
  renderConsole(address, { ...projectAnswers, projects_QueryAuditLog: () => ({ events: two }) });
  const table = await screen.findByRole('table', { name: 'Log' });
  const heads = within(table)
    .getAllByRole('columnheader')
    .map((head) => head.textContent);
  expect(heads).toEqual(['ID', 'Timestamp', 'Type', 'Actor', 'Data', 'Action/Job']);
  const row = within(table).getAllByRole('row')[1] as HTMLElement;
  expect(row.textContent).toMatch(new RegExp(`deviceId=.*${crane}.*name=device 1`));
  expect(row).not.toHaveTextContent('projectId');
  expect(await within(row).findByText('Mara Keller')).toBeVisible();
  expect(within(row).getByText('User')).toBeVisible();
});

test('a click on a type or an actor filters the log in the hub, in the URL', async () => {
  const filters: (string | undefined)[] = [];
  const { user, address: at } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: ({ filter }) => {
      filters.push(filter);
      return { events: two };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'devices_NameChanged' }));
  await waitFor(() => expect(at()).toBe(`${address}?type=devices_NameChanged`));
  expect(screen.getAllByRole('row')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Remove the filter Type devices_NameChanged' }));
  await waitFor(() => expect(at()).toBe(address));
  await user.click(screen.getByTitle('Only System'));
  await waitFor(() => expect(at()).toBe(`${address}?actor=System`));
  expect(screen.getAllByRole('row')).toHaveLength(2);
  await waitFor(() => expect(filters).toContain('actor:"System"'));
  expect(filters).toContain('event:"devices_NameChanged"');
});

test('filter values are quoted for the hub', () => {
  expect(logFilterOf({})).toBeUndefined();
  expect(logFilterOf({ type: 'a "b" \\c', actor: `User:${userId}`, range: '1h' })).toBe(
    `event:"a \\"b\\" \\\\c" actor:"User:${userId}" created>=1h`,
  );
});

test('new entries wait behind a pill until it is clicked', async () => {
  let events = two;
  const { user, stream } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: () => ({ events }),
  });
  await screen.findByRole('table', { name: 'Log' });
  events = [entry(-3), entry(-2), entry(-1), ...two];
  act(() => stream()?.onChange({ topic: 'log', projectId }));
  const pill = await screen.findByRole('button', { name: '3 new entries' });
  expect(screen.getAllByRole('row')).toHaveLength(3);
  await user.click(pill);
  expect(screen.getAllByRole('row')).toHaveLength(6);
  expect(screen.queryByRole('button', { name: /new entr/ })).not.toBeInTheDocument();
});

test('the export has all entries that match, also those that are not loaded yet', async () => {
  const all = Array.from({ length: 1500 }, (_, index) => entry(index));
  renderConsole(`${address}?q=device`, {
    ...projectAnswers,
    projects_QueryAuditLog: ({ before, limit = 1000 }) => {
      const from = before === undefined ? 0 : all.findIndex(({ eventId }) => eventId === before) + 1;
      return { events: all.slice(from, from + limit) };
    },
  });
  await chooseInTableMenu('Log', 'Download as CSV');
  expect(await screen.findByText('1,500 rows downloaded')).toBeVisible();
  expect(vi.mocked(downloadText).mock.lastCall?.[2].trimEnd().split('\r\n')).toHaveLength(1501);
});

test('integers that no number can hold have all digits in the log, its export and the JSON of an entry', async () => {
  const data = { projectId, serials: [1764252000123456789n, 1], at: { ns: -9007199254740993n } };
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: () => ({ events: [entry(1, { data: data as never })] }),
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('at.ns=-9007199254740993serials=1764252000123456789, 1');
  await chooseInTableMenu('Log', 'Download as CSV');
  await waitFor(() =>
    expect(vi.mocked(downloadText).mock.lastCall?.[2]).toContain(
      '""serials"":[1764252000123456789,1],""at"":{""ns"":-9007199254740993}}',
    ),
  );
  await user.click(row);
  vi.stubGlobal('isSecureContext', true);
  const drawer = await screen.findByRole('dialog', { name: 'unnamed was added by the hub' });
  expect(drawer).toHaveTextContent(
    '"serials": [ 1764252000123456789, 1 ], "at": { "ns": -9007199254740993 }',
  );
  await user.click(within(drawer).getByRole('button', { name: 'Copy entry as JSON' }));
  expect(await navigator.clipboard.readText()).toContain('"ns": -9007199254740993');
});

test('older entries are read with before', async () => {
  const befores: unknown[] = [];
  const page = Array.from({ length: logPageSize }, (_, index) => entry(index));
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: ({ before }) => {
      befores.push(before);
      return { events: before === undefined ? page : [entry(logPageSize)] };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Load older entries' }));
  expect(await screen.findByText('This is the beginning of the log.')).toBeVisible();
  expect(befores).toEqual([undefined, page.at(-1)?.eventId]);
});

test('older entries that were loaded are there again after Back, and newer ones wait', async () => {
  let newer: AuditLogEvent[] = [];
  const page = Array.from({ length: logPageSize }, (_, index) => entry(index));
  const { user, router, stream } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: ({ before }) =>
      before === undefined ? { events: [...newer, ...page] } : { events: [entry(logPageSize)] },
  });
  await user.click(await screen.findByRole('button', { name: 'Load older entries' }));
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(logPageSize + 2));
  await act(() => router.navigate({ to: '/projects' }));
  await screen.findByRole('heading', { level: 1, name: 'Projects' });
  newer = [entry(-1)];
  act(() => stream()?.onChange({ topic: 'log', projectId }));
  act(() => router.history.back());
  await screen.findByRole('table', { name: 'Log' });
  expect(await screen.findByRole('button', { name: '1 new entry' })).toBeVisible();
  expect(screen.getAllByRole('row')).toHaveLength(logPageSize + 2);
  expect(screen.getByText('This is the beginning of the log.')).toBeVisible();
});

test('a row opens as a sentence with its data, the open entry is in the URL, and j and k go on to the next and back', async () => {
  const { user, address: at } = renderConsole(`${address}?entry=${two[1]?.eventId}`, {
    ...projectAnswers,
    projects_QueryAuditLog: () => ({ events: two }),
  });
  const drawer = await screen.findByRole('dialog', { name: 'crane-04 was added by the hub' });
  expect(drawer).toHaveTextContent('devices_Created');
  expect(drawer).toHaveTextContent(`"projectId": "${projectId}"`);
  expect(within(drawer).getByRole('button', { name: 'Next (j)' })).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('k');
  expect(await screen.findByRole('dialog', { name: 'Mara Keller renamed a device to device 1' })).toBe(
    drawer,
  );
  expect(at()).toBe(`${address}?entry=${two[0]?.eventId}`);
  await user.click(within(drawer).getByRole('button', { name: 'Next (j)' }));
  await waitFor(() => expect(drawer).toHaveAccessibleName('crane-04 was added by the hub'));
  await user.click(within(drawer).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).toBe(address));
});

test('ids of the log lead to what they name, where that still exists', async () => {
  const deleted = 'd_5vPxW2x9RvHy8cBq1sw7Fe';
  const tokenId = 'deployment_id_7KqW2x9RvHy8cBq1sw7Fd4';
  const events = [
    entry(1, { data: { projectId, deviceId: crane, tokenId } }),
    entry(2, { data: { projectId, deviceId: deleted } }),
  ];
  const { user, address: at } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: () => ({ events }),
  });
  const table = await screen.findByRole('table', { name: 'Log' });
  const links = () =>
    within(table)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
  await waitFor(() =>
    expect(links()).toEqual([
      `/projects/${projectId}/devices/${crane}`,
      `/projects/${projectId}/tokens?q=${tokenId}`,
      `/projects/${projectId}/devices?q=${deleted}`,
    ]),
  );
  await user.click(within(table).getAllByRole('link')[2] as HTMLElement);
  await waitFor(() => expect(at()).toBe(`/projects/${projectId}/devices?q=${deleted}`));
});

test('ids of users, nodes and jobs lead to the lists that the reader may open', () => {
  const data = { projectId };
  const path = (id: string, isAdmin: boolean) => pathOfId(id, { data, names: new Map(), isAdmin });
  const jobId = 'job_20260901-0907-9fKqW2x9';
  const nodeId = 'cluster_node_9fKqW2x9RvHy8cBq1sw7Fd';
  expect(path(userId, false)).toBe(`/projects/${projectId}/members?q=${userId}`);
  expect(path(userId, true)).toBe(`/admin/users?q=${userId}`);
  expect([path(jobId, true), path(nodeId, true)]).toEqual([
    `/admin/jobs?q=${jobId}`,
    `/admin/cluster?q=${nodeId}`,
  ]);
  expect([path(jobId, false), path(nodeId, false)]).toEqual([undefined, undefined]);
});

test('filters by range, type and actor, and drops invalid values of the URL', () => {
  const now = Date.now();
  const shown = (search: Record<string, unknown>) =>
    [entry(1), entry(61), entry(60 * 25)].filter((one) => matchesSearch(one, parseLogSearch(search), now))
      .length;
  expect([shown({}), shown({ range: '1h' }), shown({ range: '24h' }), shown({ range: '2y' })]).toEqual([
    3, 1, 2, 3,
  ]);
  expect(shown({ actor: `User:${userId}` })).toBe(0);
});

test('"Actor shown by kind: Anonymous, System, User (user id), UserToken (token id and user id), ClusterNode (node id), Device (device id)."', () => {
  const names = new Map([[userId, 'Mara Keller']]);
  const tokenId = 'u_pk_9fKqW2x9RvHy8cBq1sw7Fd';
  expect(actorText({ actor: 'Anonymous', kind: 'Anonymous' }, names)).toBe('Anonymous');
  expect(actorText(system, names)).toBe('System');
  expect(actorText(me, names)).toBe(`User Mara Keller ${userId}`);
  expect(actorText({ actor: 'UserToken', kind: 'UserToken', userId, tokenId }, names)).toBe(
    `UserToken ${tokenId} Mara Keller ${userId}`,
  );
  const nodeId = 'cluster_node_9fKqW2x9RvHy8cBq1sw7Fd';
  expect(actorText({ actor: 'ClusterNode', kind: 'ClusterNode', nodeId }, names)).toBe(
    `ClusterNode ${nodeId}`,
  );
  const device: Actor = {
    actor: 'Device',
    kind: 'Device',
    deviceId: crane,
    tokenId: 'deployment_id_7KqW2x9RvHy8cBq1sw7Fd4',
  };
  expect(actorText(device, names)).toBe(`Device ${crane}`);
});
