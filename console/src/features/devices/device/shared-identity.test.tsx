import type { Id } from '@corral/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details, nodeId } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const showConnections = async (...connections: [address: string, agoSecs: number][]) => {
  const live = connections.map(([address, agoSecs], index) => ({
    connectionId: `d_conn_9fKqW2x9RvHy8cBq1sw7F${index + 1}` as const,
    nodeId: nodeId as Id<'clusterNode'>,
    connectedAt: new Date(Date.now() - agoSecs * 1000).toISOString(),
    connectedForSecs: agoSecs,
    address,
  }));
  renderConsole(`/projects/${projectId}/devices/${crane}`, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, connections: live }),
  });
  await screen.findAllByText('hub-1');
};
const warning = () => screen.queryByText(/^This device is connected/);

test('two machines with one identity are told, with both addresses and what to do', async () => {
  await showConnections(['192.0.2.7', 3600], ['198.51.100.9', 60]);
  expect(warning()).toHaveTextContent(
    'This device is connected 2 times at once, from 192.0.2.7 and 198.51.100.9',
  );
  expect(screen.getByText(/On all but one, stop the agent, remove fingerprint/)).toBeVisible();
});

test('a device that has just connected again, before its lost connection was noticed, is not', async () => {
  await showConnections(['192.0.2.7', 3600], ['192.0.2.8', 5]);
  expect(warning()).toBeNull();
});
