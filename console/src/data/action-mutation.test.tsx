import { ActionError } from '@corral/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { actionMutation, type Run, useRun } from './action-mutation.ts';
import { patchAnswers } from './optimistic.ts';
import { userTokensQuery } from '../parts/user-tokens/token-data.ts';
import { userProjectsQuery } from './queries-account.ts';
import { createQueryClient } from './query-client.ts';
import { deploymentTokensQuery, projectDevicesQuery, projectLogQuery } from './queries-projects.ts';
import { stubHub } from './stub-hub.ts';

const tokenId = 'deployment_id_1' as const;
const token = { tokenId, name: 'quay', createdAt: '', flags: { autoAccept: true } };

function setUp(answers: Parameters<typeof stubHub>[0]) {
  const client = createQueryClient({ hub: stubHub(answers) });
  client.setQueryData(deploymentTokensQuery('p_1').queryKey, { tokens: [token] });
  client.setQueryData(deploymentTokensQuery('p_2').queryKey, { tokens: [] });
  client.setQueryData(projectDevicesQuery('p_1').queryKey, { devices: [] });
  client.setQueryData(projectLogQuery('p_1').queryKey, { events: [] });
  client.setQueryData(userTokensQuery('u_1').queryKey, { tokens: [] });
  client.setQueryData(userTokensQuery('u_2').queryKey, { tokens: [] });
  client.setQueryData(userProjectsQuery('u_1').queryKey, { projects: [] });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(useRun, { wrapper });
  const stale = () =>
    client
      .getQueryCache()
      .findAll({ predicate: ({ state }) => state.isInvalidated })
      .map(({ queryKey }) =>
        `${String(queryKey[0])} ${Object.values(queryKey[1] as object).join(' ')}`.trim(),
      );
  return { client, run: result.current as Run, unmount, stale };
}

const create = actionMutation('projects_CreateDeploymentToken', 'projects_DeploymentTokenCreated');
const secret = `deployment_${'b'.repeat(66)}` as const;

test('a mutation invalidates the queries that read the topics of its event, limited to the ids of its input', async () => {
  const { run, stale } = setUp({ projects_CreateDeploymentToken: () => ({ tokenId, token: secret }) });
  await run(create, { projectId: 'p_1', name: 'quay' });
  expect(stale()).toEqual([
    'projects_QueryProjectDeploymentTokens p_1',
    'projects_QueryAuditLog p_1',
    'users_QueryUserTokens u_1',
    'users_QueryUserTokens u_2',
  ]);
});

test('an event for a user is limited to that user', async () => {
  const { run, stale } = setUp({ users_CreateUserToken: () => ({ tokenId: 'u_pk_1', token: 'u_sk_1' }) });
  await run(actionMutation('users_CreateUserToken', 'users_TokenCreated'), { userId: 'u_1', name: 'laptop' });
  expect(stale()).toContain('users_QueryUserTokens u_1');
  expect(stale()).not.toContain('users_QueryUserTokens u_2');
});

test('a topic stands for an action without an event', async () => {
  const { run, stale } = setUp({ projects_DeleteDeploymentToken: () => ({}) });
  await run(actionMutation('projects_DeleteDeploymentToken', 'devices'), { tokenId });
  expect(stale()).toEqual([
    'projects_QueryProjectDeploymentTokens p_1',
    'projects_QueryProjectDeploymentTokens p_2',
    'projects_QueryProjectDevices p_1 500',
    'users_QueryUserProjects u_1',
  ]);
});

test('"Any failed request is re-raised to callers.": a failure invalidates nothing', async () => {
  const refusal = new ActionError('Forbidden', 'Only an owner may do this.');
  const { run, stale } = setUp({ projects_CreateDeploymentToken: () => Promise.reject(refusal) });
  await expect(run(create, { projectId: 'p_1', name: 'quay' })).rejects.toBe(refusal);
  expect(stale()).toEqual([]);
});

test('the answer, which may contain a secret, is not kept; it arrives after the component has gone', async () => {
  const { promise, resolve } = Promise.withResolvers<{ tokenId: typeof tokenId; token: typeof secret }>();
  const { client, run, unmount } = setUp({ projects_CreateDeploymentToken: () => promise });
  const answer = run(create, { projectId: 'p_1', name: 'quay' });
  expect(client.getMutationCache().getAll()).toHaveLength(1);
  unmount();
  resolve({ tokenId, token: secret });
  expect((await answer).token).toBe(secret);
  expect(client.getMutationCache().getAll()).toEqual([]);
});

test('a patch of all answers of an action shows at once, and is rolled back by a failure', async () => {
  const { promise, reject } = Promise.withResolvers<Record<string, never>>();
  const { client, run } = setUp({ projects_SetDeploymentTokenFlags: () => promise });
  const setFlags = actionMutation(
    'projects_SetDeploymentTokenFlags',
    'projects_DeploymentTokenFlagsChanged',
    {
      patches: ({ flags }) => [
        patchAnswers('projects_QueryProjectDeploymentTokens', ({ tokens }) => ({
          tokens: tokens.map((one) => (one.tokenId === tokenId ? { ...one, flags } : one)),
        })),
      ],
    },
  );
  const isAccepting = () =>
    client.getQueryData(deploymentTokensQuery('p_1').queryKey)?.tokens[0]?.flags.autoAccept;
  const done = run(setFlags, { tokenId, flags: { autoAccept: false } });
  await expect.poll(isAccepting).toBe(false);
  reject(new ActionError('Invalid', 'No.'));
  await expect(done).rejects.toThrow('No.');
  expect(isAccepting()).toBe(true);
});

test('while an entity is being deleted, queries about it do not reach the hub', async () => {
  const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
  const reads: unknown[] = [];
  let isDeleting = false;
  const { client, run } = setUp({
    projects_DeleteProject: () => ((isDeleting = true), promise),
    projects_QueryProjectDevices: (input) => (reads.push(input), { devices: [] }),
  });
  const remove = actionMutation('projects_DeleteProject', 'projects_Deleted', {
    deletes: ({ projectId }) => projectId,
  });
  const done = run(remove, { projectId: 'p_1' });
  await expect.poll(() => isDeleting).toBe(true);
  await client.fetchQuery({ ...projectDevicesQuery('p_1'), staleTime: 0 });
  expect(reads).toEqual([]);
  resolve({});
  await done;
});
