import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { tellTabs } from '../../data/session-channel.ts';
import { stubHub } from '../../data/stub-hub.ts';
import { renderConsole, signedIn, signedOut, userId } from '../../../test/render-console.tsx';

afterEach(() => vi.unstubAllGlobals());

const withProvider = {
  readConfig: async () => ({ ...(await stubHub({}).readConfig()), providerName: 'Harbour' }),
};

test('with a provider, the page leads there, and says where it cannot', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign });
  const beginProviderSignIn = vi
    .fn<(redirect: string | undefined) => Promise<string>>()
    .mockRejectedValueOnce(new ActionError('NotReady', 'The provider could not be reached.'))
    .mockResolvedValueOnce('https://idp.example/authorize');
  const overrides = { ...withProvider, beginProviderSignIn };
  const { user } = renderConsole('/login?redirect=%2Fprojects', signedOut, overrides);
  const button = await screen.findByRole('button', { name: 'Sign in with Harbour' });
  await user.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent('The provider could not be reached.');
  await user.click(button);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('https://idp.example/authorize'));
  expect(beginProviderSignIn.mock.calls).toEqual([['/projects'], ['/projects']]);
});

test('without a provider there is no button', async () => {
  renderConsole('/login', signedOut);
  expect(await screen.findByRole('button', { name: 'Sign In' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Sign in with/ })).toBeNull();
});

test.each([
  ['unknown', /^ErrorNo account of this hub is linked/],
  ['denied', /^ErrorThe sign-in was cancelled at the provider\.$/],
])('a return with %s says why', async (word, sentence) => {
  renderConsole(`/login?provider=${word}`, signedOut, withProvider);
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
});

test('an unknown word of the address is not shown', async () => {
  renderConsole('/login?provider=constructor&wants=all', signedOut, withProvider);
  expect(await screen.findByRole('alert')).toHaveTextContent(/^ErrorThe answer of the provider could not/);
  expect(screen.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
});

test('a sign-in at the provider that takes a second factor asks for it', async () => {
  renderConsole('/login?wants=factor&redirect=%2Fprojects', signedOut, withProvider);
  expect(await screen.findByLabelText(/^Code from the app/)).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Second factor' })).toBeVisible();
});

test('a sign-in at the provider that has ended meanwhile starts again', async () => {
  const resumeSignIn = () => Promise.reject(new ActionError('Invalid', 'This sign-in took too long.'));
  renderConsole('/login?wants=enrolment', signedOut, { ...withProvider, resumeSignIn });
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
});

test('after a sign-out the page says so, and leads nowhere by itself', async () => {
  const beginProviderSignIn = vi.fn<() => Promise<string>>();
  renderConsole('/login?signedOut=true', signedOut, { ...withProvider, beginProviderSignIn });
  expect(await screen.findByRole('heading', { level: 1, name: 'You are signed out' })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Sign in with Harbour' })).toBeVisible();
  expect(beginProviderSignIn).not.toHaveBeenCalled();
});

test('where not everybody may use a password, the form is behind a button; a second factor is asked for at once', async () => {
  const readConfig = async () => ({
    ...(await withProvider.readConfig()),
    prefersProvider: true,
  });
  const { user, unmount } = renderConsole('/login', signedOut, { readConfig });
  const other = await screen.findByRole('button', {
    name: 'Sign in another way',
  });
  expect(screen.getByRole('button', { name: 'Sign in with Harbour' })).toBeVisible();
  expect(screen.getByText(/^Not everybody may sign in with a password/)).toBeVisible();
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  await user.click(other);
  expect(await screen.findByLabelText(/^Password/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Sign in another way' })).toBeNull();
  unmount();
  renderConsole('/login?wants=factor', signedOut, { readConfig });
  expect(await screen.findByLabelText(/^Code from the app/)).toBeVisible();
});

test('who signs in at the provider does so in another tab, and the page goes on with what was typed', async () => {
  let isIn = true;
  const sent: unknown[] = [];
  const tab = { opener: {}, location: { replace: vi.fn() }, close: vi.fn() };
  vi.stubGlobal('open', () => tab);
  const beginProviderSignIn = vi.fn(async () => 'https://idp.example/authorize');
  const { user } = renderConsole(
    '/settings/profile',
    {
      ...signedIn,
      users_SetUserDisplayName: (input) => {
        if (!isIn) throw new ActionError('NotSignedIn', 'Not logged in.');
        sent.push(input);
        return {};
      },
    },
    {
      beginProviderSignIn,
      readConfig: async () => ({
        ...(await stubHub({}).readConfig()),
        providerName: 'Harbour',
        prefersProvider: true,
      }),
    },
  );
  const name = await screen.findByRole('textbox', { name: /Display name/ });
  await user.clear(name);
  await user.type(name, 'Mara of the quay');
  isIn = false;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' });
  await user.click(await within(dialog).findByRole('button', { name: 'Sign in with Harbour' }));
  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://idp.example/authorize'));
  expect(beginProviderSignIn.mock.calls).toEqual([['/settings/security?provider=signedin']]);
  expect(await within(dialog).findByText(/in the other tab/)).toBeVisible();
  expect(within(dialog).queryByLabelText(/^Password/)).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Sign in another way' }));
  expect(await within(dialog).findByLabelText(/^Password/)).toBeVisible();
  isIn = true;
  tellTabs('signedIn', 2);
  await waitFor(() => expect(sent).toEqual([{ userId, displayName: 'Mara of the quay' }]));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign in again' })).toBeNull());
});
