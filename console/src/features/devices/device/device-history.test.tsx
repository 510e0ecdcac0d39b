import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, nodeId } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';
import type { PastConnection } from './connection-columns.tsx';
import { newestSystemInfo } from './system-info.ts';

const address = `/projects/${projectId}/devices/${crane}`;

test('shows the newer of two system reports, and ignores unreadable ones', async () => {
  const property = (name: string, lastUpdated: string, system: string) => ({
    [name]: { name, protected: false, version: 1, lastUpdated, value: { name: system } },
  });
  renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({
      properties: {
        ...property('dev.nexigon.systemInfo', '2026-10-02T10:00:00Z', 'Former OS'),
        ...property('dev.nexigon.system.info', '2026-10-03T10:00:00Z', 'Present OS'),
      },
    }),
  });
  // Below the name of the device, and in the card of its system.
  expect(await screen.findAllByText('Present OS')).toHaveLength(2);
  expect(screen.queryByText('Former OS')).toBeNull();
  const unreadable = { name: 'a', value: 'text', lastUpdated: '2026-10-04T10:00:00Z' };
  expect(newestSystemInfo({ 'dev.nexigon.systemInfo': unreadable })).toBeUndefined();
});

test('a disk of more bytes than a number can hold is shown', async () => {
  const disk = { name: 'store', totalSpace: 9223372036854775807n, availableSpace: 9223372036854770001n };
  renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({
      properties: {
        'dev.nexigon.systemInfo': {
          name: 'dev.nexigon.systemInfo',
          protected: false,
          version: 1,
          lastUpdated: '2026-10-02T10:00:00Z',
          value: { name: 'Debian', disks: [disk] } as never,
        },
      },
    }),
  });
  expect(await screen.findByRole('meter', { name: 'Used space of store' })).toBeVisible();
});

test('recent connections show duration and end reason, and Load more raises the limit', async () => {
  const limits: unknown[] = [];
  const past = (number: number, more: Partial<PastConnection> = {}): PastConnection => ({
    connectionId: `d_conn_9fKqW2x9RvHy8cBq1sw7F${number}`,
    nodeId,
    connectedAt: '2026-10-01T10:00:00Z',
    endedAt: '2026-10-01T11:00:00Z',
    endReason: 'Disconnected',
    durationSecs: 3600,
    ...more,
  });
  const { user } = renderConsole(address, {
    ...answers,
    devices_QueryConnections: ({ limit }) => {
      limits.push(limit);
      const { endedAt: _at, endReason: _how, ...live } = past(1, { durationSecs: 60 });
      return {
        connections: [
          live,
          past(2),
          past(3, { endReason: 'NodeCrashed' }),
          past(4, { endReason: 'ServerShutdown' }),
          past(5, { endReason: 'Unknown', durationSecs: 7 }),
        ],
      };
    },
  });
  const table = await screen.findByRole('table', { name: 'Recent Connections' });
  const rows = within(table).getAllByRole('row').slice(1);
  const ends = ['Connected', 'Disconnected', 'Hub node lost', 'Hub stopped', 'Unknown'];
  for (const [index, end] of ends.entries()) expect(rows[index]).toHaveTextContent(end);
  expect(rows[1]).toHaveTextContent('1 h');
  expect(rows[4]).toHaveTextContent('7 s');
  expect(limits).toEqual([5]);
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(limits).toEqual([5, 30]));
});

test('recent connections stay when Load more fails, can be loaded again, and end at the 50 that the hub keeps', async () => {
  let isFailing = true;
  const limits: number[] = [];
  const { user } = renderConsole(address, {
    ...answers,
    devices_QueryConnections: ({ limit = 0 }) => {
      limits.push(limit);
      if (limit > 5 && isFailing) throw new ActionError('Internal', 'The hub is out of order.');
      const connections = Array.from({ length: limit }, (_, index): PastConnection => ({
        connectionId: `d_conn_${index}`,
        nodeId,
        connectedAt: '2026-10-01T10:00:00Z',
        endedAt: '2026-10-01T11:00:00Z',
        endReason: 'Disconnected',
        durationSecs: 3600,
      }));
      return { connections };
    },
  });
  const rows = async () =>
    within(await screen.findByRole('table', { name: 'Recent Connections' })).getAllByRole('row').length - 1;
  expect(await rows()).toBe(5);
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(await rows()).toBe(5);
  isFailing = false;
  await user.click(retry);
  await waitFor(async () => expect(await rows()).toBe(30));
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(async () => expect(await rows()).toBe(50));
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(Math.max(...limits)).toBe(50);
});

test('the recent connections promise no number of days, which administrators change', async () => {
  renderConsole(address, { ...answers, devices_QueryConnections: () => ({ connections: [] }) });
  const heading = await screen.findByRole('heading', { name: 'Recent Connections' });
  const card = within(heading.closest('section')!);
  expect(await card.findByText('No connections.')).toBeVisible();
  expect(card.getByText('the newest 50')).toBeVisible();
});

test('the command line card has the commands of the device, with one of its properties', async () => {
  const name = "its 'own'";
  const { user } = renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({
      properties: {
        [name]: { name, protected: false, version: 1, lastUpdated: '2026-10-02T10:00:00Z', value: 1 },
      },
    }),
  });
  const heading = await screen.findByRole('heading', { name: 'Command line' });
  expect(screen.queryByText(`corral devices show ${crane}`)).not.toBeVisible();
  await user.click(heading);
  await screen.findByText(new RegExp(`properties get ${crane} 'its '`));
  const commands = screen.getAllByRole('group', { name: /^command: / }).map((block) => block.textContent);
  expect(commands).toEqual([
    `$ corral devices show ${crane}`,
    `$ corral devices properties get ${crane} 'its '\\''own'\\'''`,
    `$ corral devices events ${crane}`,
    `$ corral forward ${crane} 8080:80`,
  ]);
});
