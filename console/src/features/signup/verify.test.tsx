import { ActionError } from '@corral/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { held, renderConsole, signedOut } from '../../../test/render-console.tsx';

const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJhY3RpdmF0aW9uIn0.c2lnbmF0dXJl';
const link = `/signup/verify?jwt=${jwt}`;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

const activated = { ...signedOut, users_CompleteRegistration: () => ({ result: 'Completed' }) as const };

afterEach(() => vi.useRealTimers());

/** Advances the clock and flushes the resulting updates. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('"Shows a waiting screen during activation." The token is removed from the URL', async () => {
  const answer = held<{ result: 'Completed' }>();
  const complete = vi.fn(() => answer.promise);
  const { address } = renderConsole(link, { ...signedOut, users_CompleteRegistration: complete });
  await heading('Activating Your Account');
  await waitFor(() => expect(address()).toBe('/signup/verify'));
  expect(complete).toHaveBeenCalledExactlyOnceWith({ activationToken: jwt });
  answer.resolve({ result: 'Completed' });
  expect(await heading('Account Activated')).toHaveFocus();
  expect(document.title).toBe('Account Activated · Corral');
});

test('effects that run twice activate only once', async () => {
  const complete = vi.fn(() => ({ result: 'Completed' }) as const);
  renderConsole(link, { ...signedOut, users_CompleteRegistration: complete }, {}, StrictMode);
  await heading('Account Activated');
  expect(complete).toHaveBeenCalledOnce();
});

test('"On Completed shows Account Activated and redirects to /login after 4 seconds." and "Activation redirect delay 4 seconds."', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { address } = renderConsole(link, activated);
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
  await heading('Account Activated');
  act(() => screen.getByRole('button', { name: 'Stay' }).click());
  await pass(60_000);
  expect(address()).toBe('/signup/verify');
  expect(screen.queryByRole('button', { name: 'Stay' })).toBeNull();
  act(() => screen.getByRole('link', { name: 'Go now' }).click());
  await heading('Welcome Back');
});

test('"On Failed shows Account Activation Failed: your account may have already been activated, with the error message."', async () => {
  renderConsole(link, { ...signedOut, users_CompleteRegistration: () => ({ result: 'Failed' }) });
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
  const { user } = renderConsole(link, { ...signedOut, users_CompleteRegistration: complete });
  await heading('Account Activation Failed: your account may have already been activated');
  expect(screen.getByRole('alert')).toHaveTextContent('The hub is starting.');
  expect(complete).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await heading('Account Activated');
});

test('a link without a token shows an error and sends no request', async () => {
  const complete = vi.fn();
  renderConsole('/signup/verify', { ...signedOut, users_CompleteRegistration: complete });
  await heading('Account Activation Failed: your account may have already been activated');
  expect(screen.getByRole('alert')).toHaveTextContent('The link is incomplete.');
  expect(complete).not.toHaveBeenCalled();
});
