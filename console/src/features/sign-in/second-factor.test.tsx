import { ActionError } from '@corral/contract';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Hub, SignInStep } from '../../data/hub.ts';
import { renderConsole, signedIn, signedOut } from '../../../test/render-console.tsx';

/** A hub that asks for more than the password, and takes the code 123456. */
function hubThatWants(step: SignInStep, recoveryCodes?: readonly string[]) {
  let isIn = false;
  const completeSignIn = vi.fn<Hub['completeSignIn']>(async (given) => {
    if ('code' in given && given.code !== '123456')
      throw new ActionError('Invalid', 'This code is not right.');
    isIn = true;
    return recoveryCodes === undefined ? {} : { recoveryCodes };
  });
  const answers = {
    ...signedIn,
    actor_GetActor: () => (isIn ? signedIn : signedOut).actor_GetActor?.({}) as never,
  };
  return { answers, overrides: { signIn: async () => step, completeSignIn } };
}

async function typePassword(user: ReturnType<typeof renderConsole>['user']): Promise<void> {
  await user.type(await screen.findByRole('textbox', { name: /^Email/ }), 'ada@example.org');
  await user.type(await screen.findByLabelText(/^Password/), 'secret');
  await user.click(await screen.findByRole('button', { name: 'Sign In' }));
}

test('a sign-in to an account with a second factor asks for a code, says why it was refused, and takes a recovery code as such', async () => {
  const { answers, overrides } = hubThatWants({ wants: 'factor', hasAuthenticator: true });
  const { user, router } = renderConsole('/login', answers, overrides);
  await typePassword(user);
  expect(await screen.findByRole('heading', { level: 1, name: 'Second factor' })).toBeVisible();
  await user.type(await screen.findByLabelText(/^Code from the app/), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('This code is not right.');
  await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.type(await screen.findByLabelText(/^Recovery code/), '123456{Enter}');
  await vi.waitFor(() => expect(router.state.location.pathname).not.toBe('/login'));
  expect(overrides.completeSignIn.mock.lastCall?.[0]).toEqual({ code: '123456', isRecovery: true });
});

test('whoever has only passkeys of a former name of the hub reads what helps, above the field for a recovery code', async () => {
  const notice = 'Your passkeys work only at old.example.org.';
  const { answers, overrides } = hubThatWants({ wants: 'factor', hasAuthenticator: false, notice });
  const { user } = renderConsole('/login', answers, overrides);
  await typePassword(user);
  expect(await screen.findByText(notice)).toBeVisible();
  expect(screen.getByLabelText(/^Recovery code/)).toBeVisible();
});

test('"Start again" leads back to the password', async () => {
  const { answers, overrides } = hubThatWants({ wants: 'factor', hasAuthenticator: true });
  const { user } = renderConsole('/login', answers, overrides);
  await typePassword(user);
  await user.click(await screen.findByRole('button', { name: 'Start again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  expect(await screen.findByLabelText(/^Password/)).toHaveValue('');
});

test('where the instance asks for a second factor, signing in ends in setting one up, and shows the recovery codes first', async () => {
  const step = { wants: 'enrolment', secret: 'ABCDEFGH', qrSvg: '<svg/>' } as const;
  const { answers, overrides } = hubThatWants(step, ['AAAA-BBBB', 'CCCC-DDDD']);
  const { user, router } = renderConsole('/login', answers, overrides);
  await typePassword(user);
  expect(await screen.findByRole('img', { name: /^QR code/ })).toBeVisible();
  expect(screen.getByText('ABCD EFGH')).toBeVisible();
  await user.type(await screen.findByLabelText(/^Code from the app/), '123456{Enter}');
  expect(await screen.findByText('CCCC-DDDD')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'I stored them' }));
  await vi.waitFor(() => expect(router.state.location.pathname).not.toBe('/login'));
});
