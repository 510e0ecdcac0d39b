import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole, signedOut } from '../../../test/render-console.tsx';

const jwt = `a.b.${'c'.repeat(43)}`;
const found = {
  ...signedOut,
  users_ResolveAccountLink: () => ({ result: 'Password', email: 'kim@harbour.example' }) as const,
};

test('the link sets a password once, and is not left in the address', async () => {
  const calls: unknown[] = [];
  const { user, address } = renderConsole(`/set-password?jwt=${jwt}`, {
    ...found,
    users_SetPasswordByLink: (input) => {
      calls.push(input);
      return { result: 'Completed' };
    },
  });
  const set = await screen.findByRole('button', { name: 'Set Password' });
  await waitFor(() => expect(address()).toBe('/set-password'));
  expect(screen.getByText('kim@harbour.example')).toBeVisible();
  expect(set).toBeDisabled();
  const [password, confirmation] = [
    screen.getByLabelText(/^New password/),
    screen.getByLabelText(/^Confirm the new password/),
  ];
  await user.type(password, 'short');
  await user.tab();
  expect(screen.getByText('Password must be at least 8 characters long.')).toBeVisible();
  await user.clear(password);
  await user.type(password, 'gravel lantern heron 42');
  await user.type(confirmation, 'gravel lantern heron 41');
  await user.tab();
  expect(screen.getByText('Passwords do not match.')).toBeVisible();
  await user.clear(confirmation);
  await user.type(confirmation, 'gravel lantern heron 42');
  await user.click(set);
  expect(await screen.findByRole('heading', { level: 1, name: 'Password Set' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login');
  expect(calls).toEqual([{ token: jwt, password: 'gravel lantern heron 42' }]);
});

test('a link that was used before says so without asking for a password', async () => {
  renderConsole(`/set-password?jwt=${jwt}`, {
    ...signedOut,
    users_ResolveAccountLink: () => ({ result: 'NotFound' }),
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'This Link Does Not Work' })).toBeVisible();
});

test('a link that was used meanwhile says that it does not work', async () => {
  const { user } = renderConsole(`/set-password?jwt=${jwt}`, {
    ...found,
    users_SetPasswordByLink: () => ({ result: 'Failed' }),
  });
  await user.type(await screen.findByLabelText(/^New password/), 'gravel lantern heron 42');
  await user.type(screen.getByLabelText(/^Confirm/), 'gravel lantern heron 42');
  await user.click(screen.getByRole('button', { name: 'Set Password' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'This Link Does Not Work' })).toBeVisible();
});

test.each(['/set-password', `/set-password?jwt=${jwt.slice(0, -1)}`])('%s is incomplete', async (cut) => {
  renderConsole(cut, signedOut);
  expect(await screen.findByRole('heading', { level: 1, name: 'This Link Is Incomplete' })).toBeVisible();
});
