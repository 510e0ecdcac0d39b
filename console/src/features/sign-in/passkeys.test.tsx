import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Hub } from '../../data/hub.ts';
import { stubHub } from '../../data/stub-hub.ts';
import { renderConsole, signedOut } from '../../../test/render-console.tsx';

afterEach(() => vi.unstubAllGlobals());

const bytes = (...values: number[]): ArrayBuffer => new Uint8Array(values).buffer;
const request = { challenge: '-_8', rpId: 'localhost', credentials: [{ id: 'AQI', transports: ['usb'] }] };

/** A browser that answers with these bytes, and what it was asked. */
function browserWithPasskeys(get = async (): Promise<unknown> => credential) {
  const asked = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>(get);
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { credentials: { get: asked } }));
  return asked;
}

const credential = {
  rawId: bytes(1, 2),
  response: {
    clientDataJSON: bytes(251, 255),
    authenticatorData: bytes(3),
    signature: bytes(4),
    userHandle: null,
  },
};
const assertion = { credentialId: 'AQI', clientDataJSON: '-_8', authenticatorData: 'Aw', signature: 'BA' };

const at = (passkeyOrigin: string): Partial<Hub> => ({
  readConfig: async () => ({ ...(await stubHub({}).readConfig()), passkeyOrigin }),
});

test('the page offers passkeys at the origin where they work, and sends what the browser answers', async () => {
  const asked = browserWithPasskeys();
  const signInByPasskey = vi.fn<Hub['signInByPasskey']>(async () => {});
  const { user } = renderConsole('/login', signedOut, {
    ...at(window.location.origin),
    beginPasskeySignIn: async () => request,
    signInByPasskey,
  });
  await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
  await vi.waitFor(() => expect(signInByPasskey).toHaveBeenCalledWith(assertion, false));
  const { publicKey } = asked.mock.calls[0]?.[0] ?? {};
  expect(publicKey).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect([...new Uint8Array(publicKey?.challenge as ArrayBuffer)]).toEqual([251, 255]);
});

test('a browser that is told no says so, in a sentence', async () => {
  browserWithPasskeys(async () => {
    throw new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError');
  });
  const { user } = renderConsole('/login', signedOut, at(window.location.origin));
  await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('No passkey was used');
});

test.each(['https://hub.example.org', window.location.origin])(
  'where passkeys cannot work there is no button: they belong to %s',
  async (origin) => {
    if (origin !== window.location.origin) browserWithPasskeys();
    renderConsole('/login', signedOut, at(origin));
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  },
);

test('after the password a passkey is offered first, and what else the user has beside it', async () => {
  browserWithPasskeys();
  const step = { wants: 'factor', hasAuthenticator: false, passkey: request } as const;
  const completeSignIn = vi.fn<Hub['completeSignIn']>(async () => ({}));
  const { user } = renderConsole('/login?wants=factor', signedOut, {
    ...at(window.location.origin),
    resumeSignIn: async () => step,
    completeSignIn,
  });
  const button = await screen.findByRole('button', { name: 'Use your passkey' });
  expect(screen.getByRole('button', { name: 'Use a recovery code instead' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use the app instead' })).toBeNull();
  await user.click(button);
  await vi.waitFor(() => expect(completeSignIn.mock.lastCall?.[0]).toEqual({ passkey: assertion }));
});
