import type { AnswerTable } from '@corral/client';
import type { CallInput, Output } from '@corral/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { held, renderConsole } from '../../../../test/render-console.tsx';
import { firstDevices } from '../../../data/queries-projects.ts';

type Devices = Output<'projects_QueryProjectDevices'>;

const list = `/projects/${projectId}/devices`;
const deviceOf = (deviceId: Devices['devices'][number]['deviceId'], ageMs: number) => ({
  deviceId,
  firstSeen: new Date(Date.now() - ageMs).toISOString(),
  isConnected: true,
  pendingCertificatesCount: 0,
});
const first: Devices = {
  devices: Array.from({ length: firstDevices }, (_, index) => deviceOf(`d_new${index}`, 60_000)),
  next: 'more',
};

/** A project of 522 devices, in whose first page the crane is not. */
function fleet(crane: () => Devices | Promise<Devices>): AnswerTable {
  return {
    ...answers,
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Fleet',
      deviceCount: 522,
      connectedDeviceCount: 520,
      pendingCertificateCount: 0,
    }),
    devices_GetDeviceDetails: () => ({
      ...details,
      recentConnections: [
        { ...details.connections[0]!, connectedAt: new Date(Date.now() - 60_000).toISOString() },
      ],
    }),
    projects_QueryProjectDevices: ({ filter }: CallInput<'projects_QueryProjectDevices'>) =>
      filter?.startsWith('id=') === true ? crane() : first,
  };
}

test('the connection history of a device outside the first page of the list begins when it was first seen', async () => {
  const answer = held<Devices>();
  renderConsole(
    `${list}/${crane}`,
    fleet(() => answer.promise),
  );
  expect(await screen.findByText(/"load": 42000/)).toBeVisible();
  expect(screen.queryByText('of the last 24 hours')).toBeNull();
  answer.resolve({ devices: [deviceOf(crane, 27 * 60_000)] });
  expect(await screen.findByText('since first seen')).toBeVisible();
  expect(screen.queryByText('of the last 24 hours')).toBeNull();
});

test.each([
  ['', '1 of 522'],
  ['?status=connected', '1 of 520'],
  ['?q=new', '1 of 500+'],
])('the position in a long list with "%s" is "%s"', async (search, text) => {
  renderConsole(
    `${list}/d_new0${search}`,
    fleet(() => ({ devices: [] })),
  );
  expect(await screen.findByText(text)).toBeVisible();
});
