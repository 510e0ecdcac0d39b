import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const hourMs = 3_600_000;
const path = `/projects/${projectId}/devices/${crane}`;
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();
const connections: NonNullable<typeof details.recentConnections> = [
  {
    connectionId: 'd_conn_1',
    nodeId: 'cluster_node_1',
    connectedAt: ago(24 * 20),
    endedAt: ago(5),
    endReason: 'Disconnected',
  },
];
const given = {
  ...answers,
  devices_GetDeviceDetails: () => ({ ...details, recentConnections: connections }),
  devices_QueryConnections: () => ({ connections }) as never,
  projects_QueryHistory: () => ({ gaps: [] }) as never,
};
const float = () => document.querySelector('figure [role=status]')?.textContent;

test('each bar of the last day tells its time by the arrow keys, and opens the timeline at it', async () => {
  const { user, router } = renderConsole(path, given);
  const strip = await screen.findByRole('img', { name: /of the last 24 hours/ });
  strip.focus();
  await waitFor(() => expect(float()).toMatch(/ to .*connected 0 %/));
  await user.keyboard('{Home}');
  expect(float()).toContain('connected 100 %');
  await user.keyboard('{ArrowRight}{Enter}');
  const { tab, at = '' } = router.state.location.search as { tab?: string; at?: string };
  expect(tab).toBe('timeline');
  expect(Math.round((Date.now() - Date.parse(at)) / 60_000)).toBe(24 * 60 - 20);
});

test('the first tap of a finger tells a bar, and the second opens it', async () => {
  const { router } = renderConsole(path, given);
  const strip = await screen.findByRole('img', { name: /of the last 24 hours/ });
  strip.getBoundingClientRect = () => ({ left: 0, right: 144, top: 0, width: 144, height: 34 }) as DOMRect;
  const tap = () =>
    fireEvent(
      strip,
      Object.assign(new MouseEvent('click', { bubbles: true, clientX: 10 }), { pointerType: 'touch' }),
    );
  tap();
  expect(float()).toContain('connected 100 %');
  expect(router.state.location.search).toEqual({});
  tap();
  await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'timeline' }));
});

test('the cells of 30 days are reached by all arrow keys, and their time is that of the clock', async () => {
  const { user } = renderConsole(`${path}?span=30d`, given);
  const strip = await screen.findByRole('img', { name: /of the last 30 days/ });
  strip.focus();
  await waitFor(() => expect(float()).toBeDefined());
  const now = float();
  await user.keyboard('{ArrowLeft}');
  const dayBefore = float();
  expect(dayBefore).toContain('connected 100 %');
  expect(dayBefore?.slice(0, 6)).not.toBe(now?.slice(0, 6));
  await user.keyboard('{ArrowUp}');
  expect(float()).not.toBe(dayBefore);
  await user.keyboard('{ArrowDown}');
  expect(float()).toBe(dayBefore);
});
