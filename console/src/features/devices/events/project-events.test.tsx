import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { crane, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/events`;

const event = (body: string, more: object = {}) => ({
  eventId: `d_ev_20261120-1159-AAAAAAA${body}`,
  severity: 'Info',
  body,
  attributes: {},
  emittedAt: '2026-11-20T11:59:00Z',
  deviceId: crane,
  deviceName: 'crane-04',
  ...more,
});

test('the events of all devices are listed with their devices, and severity and filter are applied by the hub and in the URL', async () => {
  const filters: (string | undefined)[] = [];
  const { user, address: at } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectEvents: ({ filter }) => {
      filters.push(filter);
      return { events: [event('1'), event('2', { severity: 'Error' })] as never };
    },
  });
  const table = await screen.findByRole('table', { name: 'Events' });
  const [, row] = within(table).getAllByRole('row');
  expect(within(row as HTMLElement).getByRole('link', { name: 'crane-04' })).toHaveAttribute(
    'href',
    `/projects/${projectId}/devices/${crane}`,
  );
  await user.click(screen.getByRole('button', { name: 'Error' }));
  await waitFor(() => expect(at()).toBe(`${address}?severity=Error`));
  await user.type(screen.getByRole('combobox', { name: 'Filter events' }), 'category:boot');
  await waitFor(() => expect(filters.at(-1)).toBe('severity:Error (category:boot)'));
});

test('a project without events says where they come from', async () => {
  renderConsole(address, { ...projectAnswers, projects_QueryProjectEvents: () => ({ events: [] }) });
  expect(await screen.findByText('No events yet')).toBeVisible();
});
