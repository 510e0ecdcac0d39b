import { ids, revocationReasons } from '@corral/contract';
import { expect, test, vi } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { callUrl } from '../../../test/asset-scene.ts';
import { connectLink, isOpen } from '../../../test/device-client.ts';
import { commandLineHeaders } from '../../../test/gateway-scene.ts';
import { hubWith } from '../../../test/hub-with-settings.ts';
import { playedCi } from '../../../test/played-ci.ts';
import { ids123 } from '../../../test/publishing-scene.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };

test('a sign-in that waits for its second factor opens no WebSocket, by whichever header its secret comes, so it can call no action there', async () => {
  const hub = await hubWith({});
  const { secret = '' } = await hub.invoke('users_BeginAuthenticatorEnrolment', {});
  const code = authenticatorCode(secret, new Date());
  await hub.invoke('users_ConfirmAuthenticatorEnrolment', { code });
  const { headers } = await callUrl(new URL('/api/private/login', hub.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: Buffer.from(JSON.stringify(administrator)),
  });
  const [cookie = ''] = (headers['set-cookie']?.[0] ?? '').split(';');
  const token = cookie.split('=')[1] ?? '';
  expect(ids.pendingSignIn.schema.safeParse(token).success).toBe(true);
  const asUserToken = ids.userToken.of(ids.pendingSignIn.raw(token as never));
  for (const form of [
    { cookie },
    { cookie: `__Host-session=${token}` },
    commandLineHeaders(token),
    commandLineHeaders(asUserToken),
    { ...commandLineHeaders(asUserToken), cookie },
  ]) {
    const answer = await connectLink(hub.url, form);
    if (isOpen(answer)) throw new Error('It was let in.');
    expect([400, 401]).toContain(answer.status);
  }
});

test('the link of a job of a CI ends as soon as its publisher is deleted', async () => {
  const hub = await hubWith({ CORRAL_PRIVATE_TARGETS: '127.0.0.1:*' });
  const ci = await playedCi(() => new Date(), new URL(hub.url).origin);
  await hub.invoke('instance_SetInstanceSettingRaw', { key: 'ciIssuers', value: ci.issuer });
  const { repositoryId } = await hub.invoke('repositories_CreateRepository', { name: 'firmware' });
  const publisher = { repositoryId, name: 'releases', kind: 'GitHub', issuer: ci.issuer, conditions: ids123 };
  const { publisherId } = await vi.waitFor(() => hub.invoke('repositories_AddPublisher', publisher));
  const exchange = { repository: 'firmware', idToken: await ci.sign() };
  const { token = '' } = await hub.invoke('repositories_ExchangeIdToken', exchange);
  const link = await connectLink(hub.url, commandLineHeaders(token));
  if (!isOpen(link)) throw new Error(link.body.message);
  const rpc = await link.rpc();
  expect(await rpc.invoke('repositories_GetRepositoryDetails', { repositoryId })).toMatchObject({
    repositoryId,
  });
  await hub.invoke('repositories_DeletePublisher', { publisherId });
  // Nothing is asked over the link meanwhile: the event ends it, before a check of all tokens would.
  await vi.waitFor(() => expect(link.connection.end?.reason).toBe(revocationReasons.userDeleted));
  expect(isOpen(await connectLink(hub.url, commandLineHeaders(token)))).toBe(false);
});
