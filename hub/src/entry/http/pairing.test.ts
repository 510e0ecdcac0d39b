import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Id } from '@corral/contract';
import { type HttpHub, httpHub } from '../../../test/http-hub.ts';
import { newFingerprint } from '../../../test/seed.ts';

let hub: HttpHub;
let owner: Awaited<ReturnType<HttpHub['user']>>;
let projectId: Id<'project'>;
beforeAll(async () => {
  hub = await httpHub();
  owner = await hub.user('owner@example.org');
  const caller = { actor: owner, origin: {} };
  ({ projectId } = await hub.executor.invoke(caller, 'projects_CreateProject', { name: 'Plant' }));
});
afterAll(() => hub[Symbol.asyncDispose]());

const newKey = async () => {
  const caller = { actor: owner, origin: {} };
  return (await hub.executor.invoke(caller, 'projects_CreateDevicePairingKey', { projectId })).pairingKey;
};

/** The request of the agent of 2026-08: no header but the type of its body. */
const redeem = (pairingKey: string) =>
  fetch(`${hub.url}/api/v1/actions/invoke/projects_RedeemDevicePairingKey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pairingKey, fingerprint: newFingerprint(), deviceName: 'pump' }),
  });

test('an agent of 2026-08 redeems a key without any authentication, and gets the bare output', async () => {
  const answer = await redeem(await newKey());
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    projectId,
    deviceId: expect.stringMatching(/^d_\w{22}$/),
    tokenId: expect.stringMatching(/^deployment_id_\w{22}$/),
    token: expect.stringMatching(/^deployment_\w{66}$/),
  });
});

test('the audit log has who made and redeemed a key, and not the key', async () => {
  const pairingKey = await newKey();
  await redeem(pairingKey);
  const caller = { actor: owner, origin: {} };
  const { events } = await hub.executor.invoke(caller, 'projects_QueryAuditLog', { projectId });
  const of = (name: string) => events.find(({ event }) => event === name);
  expect(of('projects_PairingKeyCreated')).toMatchObject({ actor: { actor: 'User' } });
  expect(of('projects_PairingKeyRedeemed')).toMatchObject({ actor: { actor: 'Anonymous' } });
  expect(JSON.stringify(events)).not.toContain(pairingKey);
  expect(hub.logged()).not.toContain(pairingKey);
});

test('an address that fails 30 times in a minute is told when to come back, also with a right key', async () => {
  const pairingKey = await newKey();
  await Promise.all(Array.from({ length: 30 }, () => redeem('000000-0000')));
  const answer = await redeem(pairingKey);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ kind: 'RateLimited' });
});
