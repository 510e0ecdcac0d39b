import { ActionError } from '@corral/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { held, renderConsole, signedOut } from '../../../test/render-console.tsx';

const jwt = `eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJhY3RpdmF0aW9uIn0.${'s'.repeat(43)}`;
const link = `/signup/verify?jwt=${jwt}`;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

const registration = {
  userId: 'u_registered',
  email: 'kim@harbour.example',
  displayName: 'Kim Ahn',
} as const;
/** The hub knows the link, whose registration was made in this browser. */
const found = {
  ...signedOut,
  users_ResolveAccountLink: () => ({ result: 'Registration', ...registration }) as const,
};
const activated = { ...found, users_CompleteRegistration: () => ({ result: 'Completed' }) as const };
const activate = async () => {
  const button = await screen.findByRole('button', { name: 'Activate Account' });
  act(() => button.click());
};

beforeEach(() => localStorage.setItem('corral.registrations', registration.userId));
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** Advances the clock and flushes the resulting updates. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('"Shows a waiting screen during activation." The token is removed from the URL', async () => {
  const answer = held<{ result: 'Completed' }>();
  const complete = vi.fn(() => answer.promise);
  const { address } = renderConsole(link, { ...found, users_CompleteRegistration: complete });
  await activate();
  await heading('Activating Your Account');
  await waitFor(() => expect(address()).toBe('/signup/verify'));
  expect(complete).toHaveBeenCalledExactlyOnceWith({ activationToken: jwt });
  answer.resolve({ result: 'Completed' });
  expect(await heading('Account Activated')).toHaveFocus();
  expect(document.title).toBe('Account Activated · Corral');
});

test('opening the link activates nothing: it shows name and address, and a button does it, once', async () => {
  const complete = vi.fn(() => ({ result: 'Completed' }) as const);
  renderConsole(link, { ...found, users_CompleteRegistration: complete }, {}, StrictMode);
  expect(await heading('Activate Your Account')).toHaveFocus();
  expect(screen.getByText('Kim Ahn')).toBeVisible();
  expect(screen.getByText('kim@harbour.example')).toBeVisible();
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  expect(complete).not.toHaveBeenCalled();
  await activate();
  await heading('Account Activated');
  expect(complete).toHaveBeenCalledOnce();
});

test('"On Completed shows Account Activated and redirects to /login after 4 seconds." and "Activation redirect delay 4 seconds."', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { address } = renderConsole(link, activated);
  await activate();
  await heading('Account Activated');
  expect(screen.getByText('Going to the sign-in page in 4 s.')).toBeVisible();
  await pass(2000);
  expect(screen.getByText('Going to the sign-in page in 2 s.')).toBeVisible();
  await pass(1500);
  expect(address()).toBe('/signup/verify');
  await pass(500);
  await heading('Welcome Back');
  expect(address()).toBe('/login');
});

test('Go now redirects at once, and Stay cancels the redirect', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { address } = renderConsole(link, activated);
  await activate();
  await heading('Account Activated');
  act(() => screen.getByRole('button', { name: 'Stay' }).click());
  await pass(60_000);
  expect(address()).toBe('/signup/verify');
  expect(screen.queryByRole('button', { name: 'Stay' })).toBeNull();
  act(() => screen.getByRole('link', { name: 'Go now' }).click());
  await heading('Welcome Back');
});

test('"On Failed shows Account Activation Failed: your account may have already been activated, with the error message."', async () => {
  renderConsole(link, { ...found, users_CompleteRegistration: () => ({ result: 'Failed' }) });
  await activate();
  expect(
    await heading('Account Activation Failed: your account may have already been activated'),
  ).toHaveFocus();
  expect(screen.getByRole('alert')).toHaveTextContent('The link is not valid any more.');
  expect(screen.getByRole('link', { name: 'Go to sign-in' })).toHaveAttribute('href', '/login');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('"Activation error: Account Activation Failed with the error message." Retry is offered when it may help', async () => {
  const answers = [new ActionError('NotReady', 'The hub is starting.'), undefined];
  const complete = vi.fn(() => {
    const error = answers.shift();
    if (error !== undefined) throw error;
    return { result: 'Completed' } as const;
  });
  const { user } = renderConsole(link, { ...found, users_CompleteRegistration: complete });
  await activate();
  await heading('Account Activation Failed: your account may have already been activated');
  expect(screen.getByRole('alert')).toHaveTextContent('The hub is starting.');
  expect(complete).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await heading('Account Activated');
});

test('another browser than that of the registration chooses the password', async () => {
  localStorage.clear();
  const calls: unknown[] = [];
  const { user } = renderConsole(link, {
    ...found,
    users_CompleteRegistration: (input) => {
      calls.push(input);
      if (calls.length === 1) throw new ActionError('Invalid', 'This password is too common.');
      return { result: 'Completed' };
    },
  });
  const fill = async (password: string) => {
    await user.type(await screen.findByLabelText(/^Password/), password);
    await user.type(screen.getByLabelText(/^Confirm password/), password);
    await user.click(screen.getByRole('button', { name: 'Activate Account' }));
  };
  expect(await screen.findByRole('button', { name: 'Activate Account' })).toBeDisabled();
  await fill('password1234');
  expect(await screen.findByText('This password is too common.')).toBeVisible();
  await fill('gravel lantern heron 42');
  await heading('Account Activated');
  expect(calls.at(-1)).toEqual({ activationToken: jwt, password: 'gravel lantern heron 42' });
});

test('a link that did its work says so', async () => {
  renderConsole(link, { ...signedOut, users_ResolveAccountLink: () => ({ result: 'Active' }) });
  await heading('Account Activation Failed: your account may have already been activated');
  expect(screen.getByRole('alert')).toHaveTextContent('This account is already active.');
});

test.each(['/signup/verify', `${link.slice(0, -5)}`, '/signup/verify?jwt=a'])(
  'the cut link %s shows an error and sends no request',
  async (cut) => {
    const complete = vi.fn();
    renderConsole(cut, {
      ...signedOut,
      users_CompleteRegistration: complete,
      users_ResolveAccountLink: complete,
    });
    await heading('Account Activation Failed: your account may have already been activated');
    expect(screen.getByRole('alert')).toHaveTextContent('The link is incomplete.');
    expect(complete).not.toHaveBeenCalled();
  },
);
