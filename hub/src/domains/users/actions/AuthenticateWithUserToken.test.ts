import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { AuthenticateWithUserToken } from '../internal/AuthenticateWithUserToken.ts';

test('the right id with a wrong secret is anonymous and does not count as a use', async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const { token } = await hub.as(ann, 'users_CreateUserToken', { userId: ann.userId });
  const last = token.endsWith('a') ? 'b' : 'a';
  const wrong = `${token.slice(0, -1)}${last}` as typeof token;
  expect(await hub.run(AuthenticateWithUserToken, { token: wrong })).toEqual({
    result: 'Invalid',
  });
  const { tokens } = await hub.as(ann, 'users_QueryUserTokens', { userId: ann.userId });
  expect(tokens[0]).not.toHaveProperty('lastUsedAt');
});

test('the last use is recorded at most once a minute', async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const { token } = await hub.as(ann, 'users_CreateUserToken', { userId: ann.userId });
  const lastUse = async () => {
    await hub.run(AuthenticateWithUserToken, { token });
    const { tokens } = await hub.as(ann, 'users_QueryUserTokens', { userId: ann.userId });
    return Date.parse(tokens[0]?.lastUsedAt ?? '');
  };
  const first = await lastUse();
  hub.advance(59);
  expect(await lastUse()).toBe(first);
  hub.advance(1);
  expect(await lastUse()).toBe(first + 60_000);
});

test('a cluster node may call it as well', async () => {
  await using hub = await freshExecutor();
  const node = {
    actor: 'ClusterNode',
    kind: 'ClusterNode',
    nodeId: `cluster_node_${'a'.repeat(22)}`,
  } as const;
  const token = `u_sk_${'a'.repeat(66)}` as const;
  expect(await hub.run(AuthenticateWithUserToken, { token }, node)).toEqual({ result: 'Invalid' });
});
