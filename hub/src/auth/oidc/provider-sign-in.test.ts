import { expect, test, vi } from 'vitest';
import type { Provider } from './provider.ts';
import { providerSignIn } from './provider-sign-in.ts';

/** A provider that says yes. */
function provider(issuer: string, clientId: string) {
  const finish = vi.fn<Provider['finish']>(
    async () => ({ identity: { issuer, subject: 'ann' }, idToken: 'token' }) as never,
  );
  return { issuer, clientId, finish, begin: async () => new URL(issuer) } as unknown as Provider & {
    finish: typeof finish;
  };
}

test.each([
  ['issuer', provider('https://new.example', 'corral')],
  ['client', provider('https://old.example', 'new')],
])('a sign-in that began before the %s was changed is not told to the new one', async (_what, next) => {
  const first = provider('https://old.example', 'corral');
  let present: Provider = first;
  const signIn = providerSignIn({
    provider: () => present,
    redirectUri: () => 'https://hub.test/back',
    signedOutUri: () => 'https://hub.test/out',
    seal: (text) => text,
    open: (text) => text,
    nowMs: () => 0,
  });
  const begun = await signIn.begin({ returnTo: '/' });
  present = next;
  await expect(signIn.finish(begun?.cookie.value, '?code=c')).rejects.toThrow('could not be verified');
  expect(next.finish).not.toHaveBeenCalled();
  present = first;
  expect(await signIn.finish(begun?.cookie.value, '?code=c')).toMatchObject({ clientId: 'corral' });
});
