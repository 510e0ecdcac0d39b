import { ActionError } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { crane, devices, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';
import { clockText, keyState, type PairingKey } from './pairing-keys.ts';

afterEach(() => void vi.useRealTimers());

const inFiveMinutes = () => new Date(Date.now() + 300_000).toISOString();
const made = () => ({
  pairingKeyId: 'd_pairing_7KqW2x9RvHy8cBq1sw7Fd4' as const,
  pairingKey: '7K2M9Q-X4TB',
  selector: '7K2M9Q',
  createdAt: new Date().toISOString(),
  expiresAt: inFiveMinutes(),
  value: 'hub.example,7K2M9Q-X4TB',
  qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
});
const listedKey = (more: Partial<PairingKey> = {}): PairingKey => ({ ...made(), tries: 0, ...more });

function open(keys: () => readonly PairingKey[], more = {}) {
  const calls: unknown[] = [];
  const view = renderConsole(`/projects/${projectId}/devices`, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices }),
    projects_QueryDevicePairingKeys: () => ({ pairingKeys: [...keys()] }),
    projects_CreateDevicePairingKey: (input: unknown) => (calls.push(input), made()),
    projects_RevokeDevicePairingKey: (input: unknown) => (calls.push(input), {}),
    ...more,
  });
  return { ...view, calls };
}

async function dialogOf(user: ReturnType<typeof open>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Pair device' }));
  return within(await screen.findByRole('dialog', { name: 'Pair a device' }));
}

test('a key is made, shown with its commands and its picture, and flips to connected when the device arrives', async () => {
  let keys: PairingKey[] = [];
  const { user, calls, stream } = open(() => keys);
  const dialog = await dialogOf(user);
  await user.type(dialog.getByLabelText('Device name'), ' Pump 1 ');
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  expect(await dialog.findByRole('group', { name: 'pairing key' })).toHaveTextContent(
    'hub.example,7K2M9Q-X4TB',
  );
  expect(calls).toEqual([{ projectId, name: 'Pump 1' }]);
  expect(dialog.getByRole('group', { name: 'command for the agent' })).toHaveTextContent(
    "curl -d 'hub.example,7K2M9Q-X4TB' http://DEVICE:6947/pair",
  );
  expect(dialog.getByRole('group', { name: 'command for the device' })).toHaveTextContent(
    `curl -fsS ${window.location.origin}/pair.sh | sudo sh -s 7K2M9Q-X4TB`,
  );
  expect(dialog.getByRole('img', { name: 'The pairing key as a QR code' })).toBeVisible();
  expect(dialog.getByRole('timer')).toHaveTextContent(/^Valid for [45]:\d\d$/);
  const arrive = (isConnected: boolean) => {
    keys = [listedKey({ usedAt: new Date().toISOString(), deviceId: crane, isConnected })];
    act(() => {
      stream()?.onOpen();
      stream()?.onChange({ topic: isConnected ? 'connections' : 'tokens', projectId });
    });
  };
  arrive(false);
  expect(await dialog.findByText('The key was used. Waiting for the device to connect…')).toBeVisible();
  arrive(true);
  expect(await dialog.findByText(/^Connected: /)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'View device' })).toHaveAttribute(
    'href',
    `/projects/${projectId}/devices/${crane}`,
  );
  await user.click(dialog.getByRole('button', { name: 'Make another key' }));
  expect(dialog.getByRole('button', { name: 'Make key' })).toBeVisible();
});

test('open keys are listed and revoked, without the secret; one that has ended says what to do', async () => {
  let keys = [listedKey({ name: 'Valve' })];
  const { user, calls, stream } = open(() => keys);
  const dialog = await dialogOf(user);
  const list = within(await dialog.findByRole('region', { name: 'Open keys' }));
  expect(list.getByText('7K2M9Q-····')).toBeVisible();
  await user.click(list.getByRole('button', { name: 'Revoke 7K2M9Q' }));
  await waitFor(() => expect(calls).toEqual([{ pairingKeyId: made().pairingKeyId }]));
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  await dialog.findByText('Waiting for the device…');
  keys = [listedKey({ revokedAt: new Date().toISOString() })];
  act(() => {
    stream()?.onOpen();
    stream()?.onChange({ topic: 'tokens', projectId });
  });
  expect(await dialog.findByText('The key was revoked')).toBeVisible();
  expect(dialog.queryByRole('group', { name: 'pairing key' })).toBeNull();
  expect(dialog.getByRole('button', { name: 'Make another key' })).toBeVisible();
});

test('why a key could not be made is shown, and what was typed stays', async () => {
  const { user } = open(() => [], {
    projects_CreateDevicePairingKey: () => Promise.reject(new ActionError('Invalid', 'There are too many.')),
  });
  const dialog = await dialogOf(user);
  await user.type(dialog.getByLabelText('Device name'), 'Pump 1');
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  expect(await dialog.findByText('There are too many.')).toBeVisible();
  expect(dialog.getByLabelText('Device name')).toHaveValue('Pump 1');
});

test('who is no owner sees why the button does nothing', async () => {
  const { user } = open(() => [], {
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Plant',
      deviceCount: devices.length,
      isOwner: false,
    }),
  });
  const button = await screen.findByRole('button', { name: 'Pair device' });
  await waitFor(() =>
    expect(button).toHaveAccessibleDescription('Only an owner of the project may pair devices.'),
  );
  await user.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a key is open until it is used, revoked, tried five times or expired', () => {
  const now = Date.now();
  const at = new Date().toISOString();
  expect(keyState(listedKey(), now)).toBe('open');
  expect(keyState(listedKey(), now + 300_001)).toBe('expired');
  expect(keyState(listedKey({ tries: 5 }), now)).toBe('guessed');
  expect(keyState(listedKey({ revokedAt: at }), now)).toBe('revoked');
  expect(keyState(listedKey({ usedAt: at, tries: 5 }), now)).toBe('redeemed');
  expect(keyState(listedKey({ usedAt: at, isConnected: true }), now)).toBe('connected');
  expect([clockText(300_000), clockText(59_001), clockText(-5)]).toEqual(['5:00', '1:00', '0:00']);
});
