import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { auditText, auditedStatuses } from '../../../../test/test-users.ts';
import { AuthenticateWithUserToken } from '../internal/AuthenticateWithUserToken.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

test('a token is shown once, listed without its secret, and resolves to its user', async () => {
  const ann = await hub.user('ann@example.com');
  const { userId } = ann;
  const { token, tokenId, expiresAt } = await hub.as(ann, 'users_CreateUserToken', { userId, name: ' ci ' });
  expect(expiresAt).toBe('2027-02-18T12:00:00.000Z');
  expect(token.slice('u_sk_'.length, 'u_sk_'.length + 22)).toBe(tokenId.slice('u_pk_'.length));
  expect(hub.emittedEvents.at(-1)).toMatchObject({ name: 'users_TokenCreated', data: { userId, tokenId } });
  expect(await hub.run(AuthenticateWithUserToken, { token })).toEqual({
    result: 'Authenticated',
    userId,
    actor: { actor: 'UserToken', kind: 'UserToken', userId, tokenId },
    isReadOnly: false,
    isLimited: false,
    expiresAt: '2027-02-18T12:00:00Z',
  });
  const used = hub.now().toISOString();
  const { tokens } = await hub.as(ann, 'users_QueryUserTokens', { userId });
  expect(tokens).toEqual([
    {
      tokenId,
      name: 'ci',
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      access: 'full',
      administrator: false,
      expiresAt: '2027-02-18T12:00:00Z',
    },
  ]);
  expect(new Date(tokens[0]?.lastUsedAt ?? '').toISOString()).toBe(used);
  expect(await auditText(hub)).not.toContain(token.slice('u_sk_'.length + 22));
});

test('an administrator creates a token for another; the newest is listed first', async () => {
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const bea = await hub.user('bea@example.com');
  const { userId } = bea;
  const first = await hub.as(bea, 'users_CreateUserToken', { userId });
  hub.advance(1);
  const second = await hub.as(admin, 'users_CreateUserToken', { userId, name: 'by the administrator' });
  const { tokens } = await hub.as(admin, 'users_QueryUserTokens', { userId });
  expect(tokens.map(({ tokenId }) => tokenId)).toEqual([second.tokenId, first.tokenId]);
  expect(tokens[1]).not.toHaveProperty('name');
});

test('a blank name is refused', async () => {
  const cas = await hub.user('cas@example.com');
  const { userId } = cas;
  expect(await hub.refusal(cas, 'users_CreateUserToken', { userId, name: ' ' })).toEqual({
    kind: 'Invalid',
    message: 'Name must not be empty.',
  });
  expect((await hub.as(cas, 'users_QueryUserTokens', { userId })).tokens).toEqual([]);
  expect((await auditedStatuses(hub, 'users_CreateUserToken')).at(-1)).toBe('Failed');
});
