import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { answers, event } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices/${crane}`;

describe('a clock that is off', () => {
  const received = '2026-10-02T10:00:00Z';
  const showEvents = async (...times: string[]) => {
    const events = times.map((emittedAt, index) => event(index, { emittedAt, receivedAt: received }));
    renderConsole(address, { ...answers, devices_QueryDeviceEvents: () => ({ events }) });
    return screen.findByRole('table', { name: 'Recent Events' });
  };

  test.each([
    ['2026-10-05T09:59:58Z', '3 days ahead', /Its events are listed by when they arrived/],
    ['2023-10-03T10:00:03Z', '1,095 days behind', /Or its newest event arrived that late/],
    ['2026-10-02T10:20:00Z', '20 min ahead', /Set its clock/],
  ])('%s is told, with the time of receipt in the row', async (emittedAt, offset, advice) => {
    const table = await showEvents(emittedAt);
    expect(screen.getByText(`The clock of this device is ${offset}`)).toBeVisible();
    expect(screen.getByText(advice)).toBeVisible();
    expect(table).toHaveTextContent(`clock ${offset}`);
    expect(within(table).getByText('2 Oct 2026')).toHaveAttribute('datetime', '2026-10-02T10:00:00.000Z');
  });

  test('by less than five minutes, or only in older events, is not', async () => {
    const table = await showEvents('2026-10-02T10:04:59Z', '2023-10-03T10:00:03Z');
    expect(screen.queryByText(/The clock of this device/)).toBeNull();
    expect(table).toHaveTextContent('clock 1,095 days behind');
  });
});
