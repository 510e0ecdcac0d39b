import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { stubHub } from '../../data/stub-hub.ts';
import { renderConsole, signedIn, userId } from '../../../test/render-console.tsx';

const withProvider = {
  readConfig: async () => ({ ...(await stubHub({}).readConfig()), providerName: 'Harbour' }),
};
const linked = {
  issuer: 'https://idp.example',
  subject: 'ann',
  email: 'ann@example.com',
  linkedAt: '2026-11-01T10:00:00.000Z',
};
const answers = { ...signedIn, users_QueryUserTokens: () => ({ tokens: [] }) };

test('an account at the provider is unlinked after a question', async () => {
  const unlink = vi.fn(() => ({}));
  const table = {
    ...answers,
    users_GetUserIdentities: () => ({ identities: [linked] }),
    users_UnlinkIdentity: unlink,
  };
  const { user } = renderConsole('/settings/security?provider=linked', table, withProvider);
  expect(await screen.findByText('Your account was linked')).toBeVisible();
  expect(screen.getByText('https://idp.example')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Unlink ann@example.com' }));
  await user.click(await screen.findByRole('button', { name: 'Unlink' }));
  expect(await screen.findByText('The account was unlinked')).toBeVisible();
  expect(unlink).toHaveBeenCalledWith({ userId, issuer: linked.issuer, subject: 'ann' });
});

test('a link that the hub refused says why', async () => {
  renderConsole('/settings/security?provider=taken', answers, withProvider);
  expect(await screen.findByRole('button', { name: 'Link my account at Harbour' })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(/^Your account was not linkedThat account at the/);
});

test('without a provider nothing is said of it', async () => {
  renderConsole('/settings/security', answers);
  expect(await screen.findByRole('heading', { name: 'Second factor' })).toBeVisible();
  expect(screen.queryByText('Single sign-on')).toBeNull();
});
