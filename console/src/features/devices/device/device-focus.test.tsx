import type { Output } from '@corral/contract';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details, event, nodeId } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { held, renderConsole } from '../../../../test/render-console.tsx';

const [connection] = details.connections;
const property = {
  name: 'level',
  value: 7,
  protected: false,
  lastUpdated: '2026-10-02T10:00:00Z',
} as Output<'devices_QueryDeviceProperties'>['properties'][string];

const joinedAt = '2026-10-02T10:00:00Z';
const cluster: Output<'cluster_GetClusterDetails'> = {
  nodes: [{ nodeId, name: 'hub-1', uptimeSecs: 1, joinedAt, lastHeartbeat: joinedAt }],
};

const focusable = 'a, button, input, summary, [tabindex]';
const controls = (): Element[] => [...document.querySelectorAll(focusable)];
/** The names of those that are no longer on the page, where one of them may have had the focus. */
const goneOf = (before: readonly Element[]): string[] =>
  before
    .filter((element) => !element.isConnected)
    .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? '');

test('no control is replaced, and so none loses the focus, when the device connects and reports', async () => {
  let isConnected = false;
  const read = held<typeof cluster>();
  const { stream } = renderConsole(`/projects/${projectId}/devices/${crane}`, {
    ...answers,
    cluster_GetClusterDetails: () => read.promise,
    devices_GetDeviceDetails: () => ({
      ...details,
      isConnected,
      connections: isConnected && connection ? [connection] : [],
    }),
    devices_QueryDeviceEvents: () => ({ events: isConnected ? [event(1)] : [] }),
    devices_QueryDeviceProperties: () => ({ properties: isConnected ? { level: property } : {} }),
  });
  await screen.findByText('No connections.');
  await screen.findByText('No recent events.');
  const away = controls();
  isConnected = true;
  act(() => {
    for (const topic of ['connections', 'events', 'properties', 'devices'] as const)
      stream()?.onChange({ topic, projectId, deviceId: crane });
  });
  expect(await screen.findByRole('button', { name: /, copy connection ID/u })).toBeVisible();
  expect(await screen.findByText('message 1')).toBeVisible();
  expect(await screen.findByText(/properties get .* level/u)).toBeInTheDocument();
  expect(goneOf(away)).toEqual([]);
  const connected = controls();
  act(() => read.resolve(cluster));
  expect(await screen.findByText('hub-1')).toBeVisible();
  expect(goneOf(connected)).toEqual([]);
});

test('the id of a node that has no name stays when its name becomes known', async () => {
  let isKnown = false;
  const { stream } = renderConsole(`/projects/${projectId}/devices/${crane}`, {
    ...answers,
    cluster_GetClusterDetails: () => (isKnown ? cluster : { nodes: [] }),
  });
  const id = await screen.findByRole('button', { name: /, copy node ID/u });
  act(() => id.focus());
  isKnown = true;
  act(() => stream()?.onReset());
  expect(await screen.findByText('hub-1')).toBeVisible();
  expect(id).toHaveFocus();
});
