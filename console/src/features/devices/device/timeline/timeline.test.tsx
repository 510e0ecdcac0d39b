import type { Output } from '@corral/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answers, details } from '../../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../../test/project-answers.ts';
import { renderConsole } from '../../../../../test/render-console.tsx';
import { timelineRows, type TimelineEntry } from './timeline-rows.ts';

const address = `/projects/${projectId}/devices/${crane}?tab=timeline`;

function entry(number: number, more: Partial<TimelineEntry> = {}): TimelineEntry {
  const at = new Date(Date.UTC(2026, 9, 2, 10, 60 - number)).toISOString();
  return {
    entryId: `Event ${number}`,
    at,
    kind: 'Event',
    title: `Batch ${number} pressed`,
    data: {},
    ...more,
  };
}

const ended = entry(1, { entryId: 'Ended a', kind: 'Connection', title: 'Connection lost after 4 h' });
const began = entry(4, { entryId: 'Connected a', kind: 'Connection', title: 'Connected' });

test('equal entries fold, and the rail tells whether the device was connected', () => {
  const rows = timelineRows([ended, entry(2), entry(3), began]);
  expect(rows.map(({ entries }) => entries.length)).toEqual([1, 2, 1]);
  expect(rows.map(({ isConnectedAfter }) => isConnectedAfter)).toEqual([false, true, true]);
  expect(rows.map(({ isConnectedBefore }) => isConnectedBefore)).toEqual([true, true, false]);
  expect(rows.map(({ day }) => day !== undefined)).toEqual([true, false, false]);
});

const presence: Output<'devices_GetPresence'> = {
  state: 'Disconnected',
  since: ended.at,
  cause: 'Silent',
  sentence: 'The device fell silent.',
  confidence: 'Likely',
  evidence: [{ title: 'Connection lost', at: ended.at }],
  checks: [1, 2, 3].map((n) => ({ title: `Check ${n}`, detail: 'On the device.', command: `check ${n}` })),
};

const timeline = {
  ...answers,
  devices_GetDeviceDetails: () => ({ ...details, isConnected: false }),
  devices_GetPresence: () => presence,
  devices_QueryTimeline: ({ kinds }: { kinds?: readonly string[] }) => ({
    entries: [ended, entry(2), entry(3), began].filter(({ kind }) => kinds?.includes(kind) ?? true),
    counts: [
      { kind: 'Connection' as const, count: 2 },
      { kind: 'Event' as const, count: 2 },
    ],
  }),
};

test('an alert leads to its rule', async () => {
  const ruleId = 'alert_rule_1';
  const fired = entry(5, { entryId: 'Fired 1', kind: 'Alert', title: 'Alert fired: Away', link: ruleId });
  renderConsole(address, { ...timeline, devices_QueryTimeline: () => ({ entries: [fired] }) } as never);
  expect(await screen.findByRole('link', { name: 'Alert fired: Away' })).toHaveAttribute(
    'href',
    `/projects/${projectId}/alerts/rules/${ruleId}`,
  );
});

test('a device that is away says why, with evidence that leads to its entry, and three commands', async () => {
  renderConsole(address, timeline as never);
  const why = await screen.findByRole('region', { name: 'Why offline?' });
  expect(why).toHaveTextContent('The device fell silent.');
  const link = within(why).getByRole('link', { name: 'Connection lost' });
  expect(link).toHaveAttribute('href', expect.stringContaining(encodeURIComponent(ended.at)));
  expect(within(why).getAllByRole('button', { name: /Copy command/iu })).toHaveLength(3);
});

test('a chip shows one kind, and folded entries open', async () => {
  const user = userEvent.setup();
  renderConsole(address, timeline as never);
  const list = await screen.findByRole('list', { name: 'Timeline' });
  expect(within(list).queryByText('Batch 3 pressed')).toBeNull();
  await user.click(within(list).getByRole('button', { name: '2 events' }));
  expect(within(list).getByText('Batch 3 pressed')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^Connections/u }));
  expect(await screen.findByText('Connected', { selector: 'p' })).toBeVisible();
  expect(screen.queryByText('Batch 2 pressed')).toBeNull();
});

test('a connected device has no panel', async () => {
  renderConsole(address, {
    ...timeline,
    devices_GetPresence: () => ({ ...presence, state: 'Connected' as const }),
  } as never);
  expect(await screen.findByRole('list', { name: 'Timeline' })).toBeVisible();
  expect(screen.queryByText('Why offline?')).toBeNull();
});
