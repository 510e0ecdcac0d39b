import { ActionError, type Output } from '@corral/contract';
import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { renameDevice } from '../features/devices/mutations.ts';
import { setFlags } from '../features/tokens/deployment-token.ts';
import { createQueryClient } from './query-client.ts';
import { deviceQuery } from '../features/devices/queries.ts';
import { deploymentTokensQuery, projectDevicesQuery } from './queries-projects.ts';
import { stubHub } from './stub-hub.ts';

const ref = { deviceId: 'd_1' } as const;
const listed = {
  deviceId: 'd_1',
  name: 'crane',
  firstSeen: '',
  isConnected: true,
  pendingCertificatesCount: 0,
} as const;

function clientWith(answer: () => Promise<Record<string, never>>): QueryClient {
  const hub = stubHub({ devices_SetDeviceName: answer, projects_SetDeploymentTokenFlags: answer });
  const client = createQueryClient({ hub });
  client.setQueryData(projectDevicesQuery('p_1').queryKey, { devices: [listed] });
  client.setQueryData(deviceQuery('d_1').queryKey, { ...listed, projectId: 'p_1' } as never);
  return client;
}

const nameIn = (client: QueryClient) =>
  client.getQueryData(projectDevicesQuery('p_1').queryKey)?.devices[0]?.name;

test('a rename shows at once in list and details, and invalidates both when it is done', async () => {
  const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
  const client = clientWith(() => promise);
  const done = new MutationObserver(client, renameDevice).mutate({ ...ref, name: 'derrick' });
  await expect.poll(() => nameIn(client)).toBe('derrick');
  expect(client.getQueryData(deviceQuery('d_1').queryKey)?.name).toBe('derrick');
  resolve({});
  await done;
  expect(client.getQueryState(projectDevicesQuery('p_1').queryKey)?.isInvalidated).toBe(true);
});

test('a refused rename is rolled back', async () => {
  const { promise, reject } = Promise.withResolvers<Record<string, never>>();
  const client = clientWith(() => promise);
  const done = new MutationObserver(client, renameDevice).mutate({ ...ref, name: 'derrick' });
  await expect.poll(() => nameIn(client)).toBe('derrick');
  reject(new ActionError('Forbidden', 'Only members may do this.'));
  await expect(done).rejects.toThrow('Only members may do this.');
  expect(nameIn(client)).toBe('crane');
});

test('a rollback does not overwrite data read meanwhile', async () => {
  const { promise, reject } = Promise.withResolvers<Record<string, never>>();
  const client = clientWith(() => promise);
  const done = new MutationObserver(client, renameDevice).mutate({ ...ref, name: 'derrick' });
  await expect.poll(() => nameIn(client)).toBe('derrick');
  client.setQueryData(projectDevicesQuery('p_1').queryKey, {
    devices: [{ ...listed, name: 'named by another' }],
  });
  reject(new ActionError('Invalid', 'No.'));
  await expect(done).rejects.toThrow('No.');
  expect(nameIn(client)).toBe('named by another');
});

test('a read from before the change does not take it back while the hub has not answered', async () => {
  const { promise, reject } = Promise.withResolvers<Record<string, never>>();
  const client = clientWith(() => promise);
  const { queryKey } = projectDevicesQuery('p_1');
  const done = new MutationObserver(client, renameDevice).mutate({ ...ref, name: 'derrick' });
  await expect.poll(() => nameIn(client)).toBe('derrick');
  await client.fetchQuery({
    queryKey,
    staleTime: 0,
    queryFn: async () => ({ devices: [{ ...listed, isConnected: false }] }),
  });
  expect(client.getQueryData(queryKey)?.devices[0]).toMatchObject({ name: 'derrick', isConnected: false });
  reject(new ActionError('Invalid', 'No.'));
  await expect(done).rejects.toThrow('No.');
  expect(client.getQueryData(queryKey)?.devices[0]).toMatchObject({ name: 'crane', isConnected: false });
});

test('a blank name clears the name', async () => {
  const client = clientWith(async () => ({}));
  await new MutationObserver(client, renameDevice).mutate({ ...ref, name: ' ' });
  expect(nameIn(client)).toBeUndefined();
});

test('Auto Accept switches at once, for one token only', async () => {
  const client = clientWith(async () => ({}));
  const token = (tokenId: 'deployment_id_1' | 'deployment_id_2') => ({
    tokenId,
    createdAt: '',
    flags: { autoAccept: true },
  });
  const tokens: Output<'projects_QueryProjectDeploymentTokens'> = {
    tokens: [token('deployment_id_1'), token('deployment_id_2')],
  };
  client.setQueryData(deploymentTokensQuery('p_1').queryKey, tokens);
  await new MutationObserver(client, setFlags).mutate({
    tokenId: 'deployment_id_2',
    flags: { autoAccept: false },
  });
  const flags = client
    .getQueryData(deploymentTokensQuery('p_1').queryKey)
    ?.tokens.map((one) => one.flags.autoAccept);
  expect(flags).toEqual([true, false]);
});
