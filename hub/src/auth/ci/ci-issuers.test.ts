import { generateKeyPair } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { playedCi, type PlayedCi } from '../../../test/played-ci.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { openCiIssuers, type CiIssuers } from './ci-issuers.ts';

const audience = 'https://hub.test';
const now = new Date();

function opened(listed: readonly PlayedCi[], reached = listed): CiIssuers {
  const rule = outgoingRule(reached.map(({ port }) => ({ place: '127.0.0.1', port })));
  const outgoing = openOutgoing({ rule });
  onTestFinished(() => outgoing.close());
  return openCiIssuers({ list: () => listed.map(({ issuer }) => issuer), fetch: outgoing.fetch });
}

const started = () => playedCi(() => now, audience);

test('a token of a listed issuer says which job it is', async () => {
  const ci = await started();
  const { issuer, claims } = await opened([ci]).verify(await ci.sign(), audience, now);
  expect(issuer).toBe(ci.issuer);
  expect(claims).toMatchObject({ repository_id: '123', ref: 'refs/heads/main' });
});

test('an issuer that is not listed is never asked', async () => {
  const [listed, other] = [await started(), await started()];
  const issuers = opened([listed], [listed, other]);
  await expect(issuers.verify(await other.sign(), audience, now)).rejects.toThrow(
    'does not allow the issuer',
  );
  // Nor when it claims to be a listed one.
  const forged = await other.sign({ iss: listed.issuer });
  await expect(issuers.verify(forged, audience, now)).rejects.toThrow('not signed by a key of its issuer');
  expect(other.requests.size).toBe(0);
});

const secs = Math.floor(now.getTime() / 1000);
test.each([
  ['another audience', { aud: 'https://other.test' }, 'is for https://other.test, not for https://hub.test'],
  ['the audience with a slash', { aud: `${audience}/` }, 'is for https://hub.test/, not'],
  ['two audiences', { aud: [audience, 'https://other.test'] }, 'is for https://hub.test, https://other.test'],
  ['no audience', { aud: undefined }, 'is for nothing'],
  ['expired by 61 s', { exp: secs - 61 }, 'has expired'],
  ['valid in 61 s', { nbf: secs + 62 }, 'has a wrong nbf'],
  ['issued in the future', { iat: secs + 62 }, 'issued in the future'],
  ['no expiry', { exp: undefined }, 'does not say when'],
  ['no time of issue', { iat: undefined }, 'does not say when'],
  ['good for two days', { exp: secs + 172_800 }, 'more than a day'],
])('a token with %s is refused, and the owners learn why', async (_name, claims, reason) => {
  const ci = await started();
  const refused = opened([ci]).verify(await ci.sign(claims), audience, now);
  await expect(refused).rejects.toThrow(reason);
  await expect(refused).rejects.toMatchObject({ claims: { repository_id: '123' } });
});

test.each([
  ['expired by 59 s', { exp: secs - 59 }],
  ['valid in 59 s', { nbf: secs + 59 }],
  ['issued in 59 s', { iat: secs + 59 }],
  ['with its audience as a list', { aud: [audience] }],
])('a token %s is accepted: clocks differ', async (_name, claims) => {
  const ci = await started();
  await opened([ci]).verify(await ci.sign(claims), audience, now);
});

test('what its issuer has not signed is refused, and nothing that it says is believed', async () => {
  const ci = await started();
  const issuers = opened([ci]);
  const foreign = await generateKeyPair('RS256');
  const secret = new TextEncoder().encode('a secret of 32 bytes for HMAC-256');
  const token = await ci.sign();
  const tokens = [
    ci.unsigned(),
    await ci.sign({}, { key: foreign.privateKey }),
    await ci.sign({}, { alg: 'HS256', key: secret }),
    await ci.sign({}, { kid: 'unknown' }),
    `${token.slice(0, -8)}AAAAAAAA`,
    'no token',
    '',
  ];
  for (const sent of tokens)
    await expect(issuers.verify(sent, audience, now)).rejects.toMatchObject({
      name: 'CiTokenRefused',
      claims: undefined,
      isUnreachable: false,
    });
});

test('the keys are kept, read once more for an unknown one, and found after a rotation', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const ci = await started();
  const issuers = opened([ci]);
  for (let count = 0; count < 5; count += 1) await issuers.verify(await ci.sign(), audience, now);
  const asked = () => [ci.requests.get('/.well-known/openid-configuration'), ci.requests.get('/jwks')];
  expect(asked()).toEqual([1, 1]);
  vi.setSystemTime(now.getTime() + 31_000);
  const unknown = await ci.sign({}, { kid: 'unknown' });
  for (let count = 0; count < 5; count += 1)
    await expect(issuers.verify(unknown, audience, now)).rejects.toThrow('no key with the id');
  expect(asked()).toEqual([1, 2]);
  const older = await ci.sign();
  await ci.rotate();
  vi.setSystemTime(now.getTime() + 62_000);
  await issuers.verify(await ci.sign(), audience, now);
  expect(asked()).toEqual([1, 3]);
  await expect(issuers.verify(older, audience, now)).rejects.toThrow('no key with the id');
});

test('an issuer that cannot be asked, or describes another, is one that may answer later', async () => {
  const ci = await started();
  const issuers = opened([ci]);
  let laterMs = now.getTime();
  // Each time after it was left alone.
  const verify = async () => issuers.verify(await ci.sign(), audience, new Date((laterMs += 5_000)));
  ci.isDown = true;
  await expect(verify()).rejects.toMatchObject({ isUnreachable: true });
  ci.isDown = false;
  ci.discovery = { issuer: 'https://other.test' };
  await expect(verify()).rejects.toMatchObject({ isUnreachable: true });
  ci.discovery = { jwks_uri: 'http://169.254.169.254/jwks' };
  await expect(verify()).rejects.toMatchObject({ isUnreachable: true });
  ci.discovery = {};
  await verify();
});

test('an issuer inside the network is asked only where the operator allows its address', async () => {
  const ci = await started();
  await expect(opened([ci], []).verify(await ci.sign(), audience, now)).rejects.toMatchObject({
    isUnreachable: true,
  });
  expect(ci.requests.size).toBe(0);
});

test('a token is recognised by its id, and one without an id by what was signed', async () => {
  const ci = await started();
  const issuers = opened([ci]);
  const keyOf = async (token: string) => (await issuers.verify(token, audience, now)).replayKey;
  expect(await keyOf(await ci.sign({ jti: 'a', ref: 'x' }))).toEqual(
    await keyOf(await ci.sign({ jti: 'a' })),
  );
  expect(await keyOf(await ci.sign())).not.toEqual(await keyOf(await ci.sign()));
  const nameless = await ci.sign({ jti: undefined });
  expect(await keyOf(nameless)).toEqual(await keyOf(nameless));
  expect(await keyOf(nameless)).not.toEqual(await keyOf(await ci.sign({ jti: undefined, ref: 'other' })));
});
