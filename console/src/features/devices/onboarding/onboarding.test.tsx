import { ActionError, type Output } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { crane, devices, gate, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { held, renderConsole } from '../../../../test/render-console.tsx';
import { agentCommand } from '../../../parts/agent-command.ts';
import { newDevicesSince, baselineOf } from './new-devices.ts';

const address = `/projects/${projectId}/devices`;
const secret = `deployment_${'a'.repeat(66)}` as const;
const tokenId = 'deployment_id_7KqW2x9RvHy8cBq1sw7Fd4';
type Listed = Output<'projects_QueryProjectDevices'>['devices'];

afterEach(() => {
  vi.useRealTimers();
});

function open(answer: () => Listed, more = {}) {
  const created: unknown[] = [];
  const view = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: answer() }),
    projects_QueryProjectDeploymentTokens: () => ({ tokens: [] }),
    projects_CreateDeploymentToken: (input) => {
      created.push(input);
      return { tokenId, token: secret };
    },
    ...more,
  });
  return { ...view, created };
}

test('a project without devices creates a token in place, shows the command, and shows the new device live', async () => {
  let listed: Listed = [];
  const { user, created, stream } = open(() => listed);
  await user.click(await screen.findByRole('button', { name: 'Make token' }));
  expect(created).toEqual([
    { projectId, name: expect.stringMatching(/^Devices of /), flags: { autoAccept: true } },
  ]);
  const { origin } = window.location;
  expect(await screen.findByRole('group', { name: 'agent command' })).toHaveTextContent(
    `curl -fsSO ${origin}/download/corral-agent.mjs && CORRAL_AGENT_TOKEN=${secret} node corral-agent.mjs run --hub-url ${origin}`,
  );
  expect(screen.getByRole('link', { name: /^Run it as a service/u })).toHaveAttribute('target', '_blank');
  expect(screen.getByText('Waiting for a device…')).toBeVisible();
  listed = devices.slice(0, 1);
  act(() => {
    stream()?.onOpen();
    stream()?.onChange({ topic: 'connections', projectId, deviceId: crane });
  });
  expect(await screen.findByText('Connected: crane-04')).toBeVisible();
  expect(screen.getByRole('link', { name: 'View device' })).toHaveAttribute('href', `${address}/${crane}`);
  expect(screen.queryByText('Waiting for a device…')).not.toBeInTheDocument();
});

test('in the dialog the token is guarded like every secret that is shown once', async () => {
  const { user } = open(() => devices);
  await user.click(await screen.findByRole('button', { name: 'Connect a device' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect a device' }));
  await user.click(await dialog.findByRole('button', { name: 'Make token' }));
  await dialog.findByText('Waiting for a device…');
  expect(dialog.queryByRole('button', { name: 'Close' })).toBeNull();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('group', { name: 'agent command' })).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'I stored it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the dialog stays open while the token is created, so that its secret is not lost', async () => {
  const answer = held<object>();
  const { user } = open(() => devices, { projects_CreateDeploymentToken: () => answer.promise });
  await user.click(await screen.findByRole('button', { name: 'Connect a device' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect a device' }));
  await user.click(await dialog.findByRole('button', { name: 'Make token' }));
  await waitFor(() => expect(dialog.getAllByRole('button', { name: 'Close' })).toHaveLength(1));
  await user.keyboard('{Escape}');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  answer.resolve({ tokenId, token: secret });
  expect(await dialog.findByRole('group', { name: 'agent command' })).toHaveTextContent(secret);
  await user.click(dialog.getByRole('button', { name: 'I stored it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('after a token could not be created the dialog closes like any other', async () => {
  const { user } = open(() => devices, {
    projects_CreateDeploymentToken: () => Promise.reject(new ActionError('Invalid', 'There are too many.')),
  });
  await user.click(await screen.findByRole('button', { name: 'Connect a device' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect a device' }));
  await user.click(await dialog.findByRole('button', { name: 'Make token' }));
  await dialog.findByText('There are too many.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('without the live view it shows the new device by polling', async () => {
  let listed: Listed = [];
  const { user } = open(() => listed);
  await user.click(await screen.findByRole('button', { name: 'Make token' }));
  await screen.findByText('Waiting for a device…');
  listed = devices.slice(0, 1);
  expect(await screen.findByText('Connected: crane-04')).toBeVisible();
});

test('a pending device shows its fingerprint in groups of four and is accepted here', async () => {
  const fingerprint = Array.from({ length: 32 }, (_, index) => (16 + index).toString(16).toUpperCase());
  const calls: unknown[] = [];
  let listed: Listed = [];
  const { user, stream } = open(() => listed, {
    devices_GetDeviceDetails: () => ({
      deviceId: gate,
      projectId,
      fingerprintId: 'd_pk_9fKqW2x9RvHy8cBq1sw7Fd',
      isConnected: false,
      metadata: {},
      certificates: [
        {
          certificateId: 'd_c_9fKqW2x9RvHy8cBq1sw7Fd',
          status: 'Pending' as const,
          fingerprint: fingerprint.join(':'),
          firstSeen: '2026-10-02T10:00:00Z',
        },
      ],
      connections: [],
    }),
    devices_SetDeviceCertificateStatus: (input: unknown) => (calls.push(input), {}),
  });
  await user.click(await screen.findByRole('button', { name: 'Make token' }));
  await screen.findByText('Waiting for a device…');
  listed = devices.slice(1, 2);
  act(() => {
    stream()?.onOpen();
    stream()?.onChange({ topic: 'certificates', projectId, deviceId: gate });
  });
  expect(await screen.findByText('10:11:12:13')).toBeVisible();
  expect(screen.getByText('node corral-agent.mjs certificate fingerprint')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Accept certificate' }));
  await waitFor(() =>
    expect(calls).toEqual([{ certificateId: 'd_c_9fKqW2x9RvHy8cBq1sw7Fd', status: 'Active' }]),
  );
});

test('after 60 s without a device it shows what to check', async () => {
  const { user } = open(() => []);
  const button = await screen.findByRole('button', { name: 'Make token' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(button);
  await screen.findByText('Waiting for a device…');
  act(() => void vi.advanceTimersByTime(59_000));
  expect(screen.queryByText('Nothing yet. What to check:')).not.toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(2_000));
  expect(screen.getByText('Nothing yet. What to check:')).toBeVisible();
  for (const point of [/hub’s address/, /Plain http/, /The token: it has not been used/, /agent’s log/])
    expect(screen.getByText(point)).toBeVisible();
});

test('known devices count only once the token has been used', () => {
  const [one, two] = devices as [Listed[number], Listed[number]];
  const before = baselineOf([{ ...one, isConnected: false }, two]);
  const ids = (isUsed: boolean, now: Listed) =>
    newDevicesSince(before, now, isUsed).map(({ deviceId }) => deviceId);
  expect(ids(false, [one, two])).toEqual([]);
  expect(ids(true, [one, two])).toEqual([crane]);
  expect(ids(true, [{ ...two, pendingCertificatesCount: 3 }])).toEqual([gate]);
});

test('the command has --allow-plain-http for plain http to another machine', () => {
  expect(agentCommand('http://192.168.1.4:8080', 't')).toMatch(
    /=t node .* --hub-url http:\/\/192\.168\.1\.4:8080 --allow-plain-http$/,
  );
  expect(agentCommand('https://hub.example', 't')).toMatch(/--hub-url https:\/\/hub\.example$/);
  expect(agentCommand('http://127.0.0.1:8080', 't')).toMatch(/--hub-url http:\/\/127\.0\.0\.1:8080$/);
});
