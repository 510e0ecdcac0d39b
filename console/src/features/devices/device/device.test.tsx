import type { AnswerTable } from '@corral/client';
import { ActionError, type Output } from '@corral/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { answers, details, event, nodeId } from '../../../../test/device-answers.ts';
import { crane, gate, projectId } from '../../../../test/project-answers.ts';
import { held, renderConsole } from '../../../../test/render-console.tsx';
import { connectionWindow } from './connection-window.ts';
import { formatBytes, formatPart } from './format-bytes.ts';
import { parseSystemInfo } from './system-info.ts';

const list = `/projects/${projectId}/devices`;
const address = `${list}/${crane}`;
test('"detail. Breadcrumb back to Devices; title is the device name." and "Delete Device, stating it deletes the device with all its data and cannot be undone.": all cards', async () => {
  renderConsole(address, answers);
  expect(await screen.findByRole('heading', { level: 1, name: 'crane-04' })).toBeVisible();
  const crumbs = screen.getByRole('navigation', { name: 'Breadcrumb' });
  expect(within(crumbs).getByRole('link', { name: 'Devices' })).toHaveAttribute('href', list);
  expect(screen.getByRole('button', { name: 'HTTP Proxy' })).toBeVisible();
  const headings = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  expect(headings).toEqual([
    'Connection',
    'Certificates',
    'Properties',
    'System',
    'Rename Device',
    'Metadata',
    'Recent Events',
    'Connections',
    'Recent Connections',
    'Command line',
    'Delete Device',
  ]);
  expect(screen.getByText(/"load": 42000/)).toBeVisible();
  expect(screen.getByText(/^13 h 3[89] min$/)).toBeVisible();
  expect(await screen.findByText('hub-1')).toBeVisible();
  expect(await screen.findByText('The agent has not reported yet.')).toBeVisible();
  const events = await screen.findByRole('table', { name: 'Recent Events' });
  const heads = within(events)
    .getAllByRole('columnheader')
    .map((head) => head.textContent);
  expect(heads).toEqual(['Severity', 'Emitted At', 'Message', 'Category', 'Attributes']);
  expect(events).toHaveTextContent('celsius=1');
  expect(screen.getByText('This deletes the device with all its data and cannot be undone.')).toBeVisible();
});

test('"empty text No certificates.", "empty text No recent events." and "empty text No connections."', async () => {
  renderConsole(address, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, certificates: [], connections: [], metadata: {} }),
    devices_QueryDeviceEvents: () => ({ events: [] }),
  });
  for (const text of ['No certificates.', 'No connections.', 'No recent events.', 'No metadata.'])
    expect(await screen.findByText(text)).toBeVisible();
});

test('"Loading texts: Loading, Loading certificates..., Loading events....": opened from the list, the header shows at once', async () => {
  const answer = held<Output<'devices_GetDeviceDetails'>>();
  const events = held<Output<'devices_QueryDeviceEvents'>>();
  const { user } = renderConsole(list, {
    ...answers,
    devices_GetDeviceDetails: () => answer.promise,
    devices_QueryDeviceEvents: () => events.promise,
  });
  await user.click(await screen.findByRole('link', { name: /^View\s*crane-04$/ }));
  expect(await screen.findByRole('heading', { level: 1, name: 'crane-04' })).toBeVisible();
  expect(screen.getByText('Loading certificates...')).toBeVisible();
  expect(screen.getByText('Loading events...')).toBeVisible();
  answer.resolve(details);
  events.resolve({ events: [] });
  expect(await screen.findByRole('button', { name: 'Accept' })).toBeVisible();
});

test('a card that fails does not affect the others', async () => {
  renderConsole(address, {
    ...answers,
    devices_QueryDeviceEvents: () => {
      throw new ActionError('Invalid', 'The events cannot be read.');
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong!');
  expect(screen.getByRole('heading', { level: 1, name: 'crane-04' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Accept' })).toBeVisible();
});

test('the dialog shows the fingerprint in groups of four before a certificate is accepted', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole(address, {
    ...answers,
    devices_SetDeviceCertificateStatus: (input) => (calls.push(input), {}),
  });
  await user.click(await screen.findByRole('button', { name: 'Accept' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Accept certificate' });
  expect(within(dialog).getAllByText('CD:CD:CD:CD')).toHaveLength(8);
  expect(within(dialog).getByText('corral-agent certificate fingerprint')).toBeVisible();
  expect(within(dialog).getByText(/^Same fingerprint, same bound token, window open/u)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([]);
});

test('events update live, and Load more reads the page after them', async () => {
  let events = Array.from({ length: 13 }, (_, index) => event(index));
  const read: { limit?: number | undefined; after?: string | undefined }[] = [];
  const { user, stream } = renderConsole(address, {
    ...answers,
    devices_QueryDeviceEvents: ({ limit = 100, after = '0' }) => {
      read.push({ limit, after });
      const end = Number(after) + limit;
      return {
        events: events.slice(Number(after), end),
        ...(end < events.length ? { next: String(end) } : {}),
      };
    },
  });
  await screen.findByText('message 1');
  expect(read).toEqual([{ limit: 10, after: '0' }]);
  events = [event(99, { severity: 'Critical' }), ...events];
  act(() => stream()?.onChange({ topic: 'events', projectId, deviceId: crane }));
  const row = (await screen.findByText('message 99')).closest('tr');
  await waitFor(() => expect(row).toHaveClass('motion-safe:animate-tint'));
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  expect((await screen.findByText('message 12')).closest('tr')).not.toHaveClass('motion-safe:animate-tint');
  expect(read.at(-1)).toEqual({ limit: 100, after: '10' });
  expect(screen.getByText('These are all 14.')).toBeVisible();
});

test('events are filtered by the text in the URL beside the severity, and a mistake shows without a question to the hub', async () => {
  const filters: (string | undefined)[] = [];
  const { user, address: at } = renderConsole(`${address}?severity=Info&events=water`, {
    ...answers,
    devices_QueryDeviceEvents: ({ filter }) => {
      filters.push(filter);
      return { events: [event(1)] };
    },
  });
  const field = await screen.findByRole('combobox', { name: 'Filter events' });
  expect(field).toHaveValue('water');
  expect(new Set(filters)).toEqual(new Set([undefined, 'severity:Info (water)']));
  await user.clear(field);
  // Typed slowly, its beginning would be a text without a mistake.
  await user.paste('colour:red ');
  expect(await screen.findByText(/there is no field "colour"/)).toBeVisible();
  await waitFor(() => expect(at()).toContain('colour'));
  expect(screen.getByText('message 1')).toBeVisible();
  await user.clear(field);
  await user.paste('category:water or emitted>=1h ');
  await waitFor(() => expect(filters.at(-1)).toBe('severity:Info (category:water or emitted>=1h)'));
  expect(filters.some((filter) => filter?.includes('colour'))).toBe(false);
});

describe('events that cannot be read', () => {
  /** A hub whose store can be full, for all events or for those that pass a filter. */
  function store() {
    const state: { full: 'filtered' | 'all' | undefined } = { full: 'filtered' };
    const hub: AnswerTable = {
      ...answers,
      devices_QueryDeviceEvents: ({ filter }) => {
        if (state.full === 'all' || (state.full === 'filtered' && filter !== undefined))
          throw new ActionError('NotReady', 'The store is full.');
        return { events: filter === undefined ? [event(1), event(2)] : [event(7, { severity: 'Critical' })] };
      },
    };
    return { state, hub };
  }

  test('show why in place of the rows below their filter, and can be read again', async () => {
    const { state, hub } = store();
    const { user } = renderConsole(address, hub);
    await screen.findByText('message 1');
    await user.click(screen.getByRole('combobox', { name: 'Filter events' }));
    await user.paste('water ');
    expect(await screen.findByRole('alert')).toHaveTextContent('The store is full.');
    expect(screen.queryByText('message 1')).toBeNull();
    expect(screen.queryByRole('button', { busy: true })).toBeNull();
    expect(screen.getByRole('combobox', { name: 'Filter events' })).toHaveFocus();
    state.full = undefined;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('message 7')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('that cannot be read again stay as they were, with the reason', async () => {
    const { state, hub } = store();
    state.full = undefined;
    const { stream } = renderConsole(`${address}?severity=Critical`, hub);
    await screen.findByText('message 7');
    state.full = 'all';
    act(() => stream()?.onChange({ topic: 'events', projectId, deviceId: crane }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^The store is full\.$/);
    expect(screen.getByText('message 7')).toBeVisible();
  });
});

test('a severity leaves a filter fewer characters', async () => {
  const filters: (string | undefined)[] = [];
  const typed = 'x'.repeat(981);
  const { user } = renderConsole(`${address}?events=${typed}`, {
    ...answers,
    devices_QueryDeviceEvents: ({ filter }) => {
      filters.push(filter);
      return {
        events: filter === undefined ? Array.from({ length: 10 }, (_, index) => event(index)) : [event(1)],
      };
    },
  });
  await screen.findByText('message 1');
  await user.click(screen.getByRole('button', { name: 'Critical' }));
  const sentence = 'The filter has a mistake at character 981: it may have at most 980 characters.';
  expect(await screen.findByText(sentence, { selector: 'p' })).toBeVisible();
  await waitFor(() => expect(filters.at(-1)).toBe('severity:Critical'));
  const field = screen.getByRole('combobox', { name: 'Filter events' });
  fireEvent.change(field, { target: { value: typed.slice(1) } });
  await waitFor(() => expect(filters.at(-1)).toHaveLength(1_000));
  expect(new Set(filters.map((filter) => filter?.length))).toEqual(new Set([undefined, 981, 17, 1_000]));
});

test('a filter without events says so, and every severity can be chosen where there may be older events', async () => {
  renderConsole(`${address}?severity=Error&events=category:water`, {
    ...answers,
    devices_QueryDeviceEvents: ({ filter }) => ({
      events: filter === undefined ? Array.from({ length: 10 }, (_, index) => event(index)) : [],
    }),
  });
  expect(await screen.findByText('Nothing matches')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Trace' })).toBeVisible();
});

test('the system card shows what the agent reported, and the head what the device has installed', async () => {
  renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({
      properties: {
        'corral.installed': {
          name: 'corral.installed',
          protected: false,
          version: 3,
          lastUpdated: '2026-10-02T10:00:00Z',
          value: { repository: 'firmware', package: 'press', version: '2.4.1' },
        },
        'dev.nexigon.systemInfo': {
          name: 'dev.nexigon.systemInfo',
          protected: false,
          version: 1,
          lastUpdated: '2026-10-02T10:00:00Z',
          value: {
            name: 'Debian GNU/Linux',
            version: '12',
            memory: { total: 3_900_000_000 },
            disks: [
              {
                name: '/dev/sda',
                mountPoint: '/',
                totalSpace: 28_900_000_000,
                availableSpace: 17_700_000_000,
              },
            ],
          },
        },
      },
    }),
  });
  for (const place of await screen.findAllByText('Debian GNU/Linux 12')) expect(place).toBeVisible();
  expect(screen.getByText('press 2.4.1')).toBeVisible();
  expect(screen.getByText('3.9 GB')).toBeVisible();
  expect(screen.getByRole('meter', { name: 'Used space of /' })).toHaveAttribute(
    'aria-valuetext',
    '11.2 of 28.9 GB',
  );
});

test('previous and next follow the list that the page was opened from', async () => {
  renderConsole(`${address}?sort=name`, answers);
  const nav = await screen.findByRole('navigation', { name: 'Other devices of the list' });
  expect(nav).toHaveTextContent('1 of 3');
  expect(within(nav).getByRole('link', { name: 'Next device: north-gate' })).toHaveAttribute(
    'href',
    `${list}/${gate}?sort=name`,
  );
});

test('a device that does not exist shows the not-found page', async () => {
  renderConsole(address, {
    ...answers,
    projects_QueryProjectDevices: () => ({ devices: [] }),
    devices_GetDeviceDetails: () => {
      throw new ActionError('Invalid', 'Device not found.');
    },
  });
  expect(await screen.findByText('Page not Found')).toBeVisible();
});

test('formats sizes, parses system information, and computes the connection window', () => {
  expect([formatBytes(0), formatBytes(999), formatBytes(28_900_000_000)]).toEqual([
    '0 bytes',
    '999 bytes',
    '28.9 GB',
  ]);
  expect(formatPart(500_000_000, 28_900_000_000)).toBe('0.5');
  expect(parseSystemInfo({ name: 7, disks: 'none', kernel: '6.1' })).toMatchObject({
    kernel: '6.1',
    disks: [],
  });
  expect(parseSystemInfo('text')).toBeUndefined();
  const now = Date.parse('2026-10-02T10:00:00Z');
  const recent = [
    {
      connectionId: 'd_conn_9fKqW2x9RvHy8cBq1sw7Fd' as const,
      nodeId: nodeId as never,
      connectedAt: '2026-10-02T09:30:00Z',
    },
  ];
  expect(connectionWindow(recent, now, now - 3_600_000, [])).toMatchObject({ hours: 1, percent: '50.0' });
  expect(connectionWindow(recent, now, undefined, [])).toMatchObject({ hours: 24, percent: '2.1' });
});
