import { ActionError, type Output } from '@corral/contract';
import { screen, within } from '@testing-library/react';
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

const unproved = {
  authenticator: { addedAt: '2026-11-01T10:00:00.000Z', isLocked: false },
  passkeys: [],
  recoveryCodesLeft: 10,
  isRequired: true,
};
/** A hub that wants to know who the user is before it makes recovery codes. */
const asking = (confirmsBy: Output<'users_GetSecondFactors'>['confirmsBy']) => ({
  ...answers,
  users_GetSecondFactors: () => ({ ...unproved, confirmsBy }),
  users_RenewRecoveryCodes: () => {
    throw new ActionError('Forbidden', 'Confirm.', { reason: { kind: 'StepUpWanted' } });
  },
});

test('who set up an authenticator without a proof is told so, and confirms at the provider', async () => {
  const { user } = renderConsole('/settings/security', asking(['provider']), withProvider);
  expect(await screen.findByText(/^Codes of this app do not confirm grave changes yet/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'New recovery codes' }));
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
  expect(await within(dialog).findByRole('button', { name: 'Confirm at Harbour' })).toBeEnabled();
  expect(within(dialog).queryByRole('textbox')).toBeNull();
});

test('who can confirm by nothing is told what to do', async () => {
  const { user } = renderConsole('/settings/security', asking([]), withProvider);
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
  expect(await within(dialog).findByText(/^Nothing that you have can confirm this here\./)).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Confirm' })).toBeDisabled();
});
