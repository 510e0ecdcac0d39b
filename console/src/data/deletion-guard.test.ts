import { ActionError } from '@corral/contract';
import { MutationObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { deleteDevice } from '../features/devices/mutations.ts';
import { createQueryClient } from './query-client.ts';
import { deviceEventsQuery, deviceQuery } from '../features/devices/queries.ts';
import { stubHub } from './stub-hub.ts';

const ref = { projectId: 'p_1', deviceId: 'd_1' } as const;
const details = { deviceId: 'd_1', projectId: 'p_1' } as never;

function setUp(answer: () => Promise<Record<string, never>>) {
  const readIds: string[] = [];
  const hub = stubHub({
    devices_DeleteDevice: answer,
    devices_GetDeviceDetails: ({ deviceId }) => {
      readIds.push(deviceId);
      return details;
    },
  });
  const client = createQueryClient({ hub });
  const remove = () => new MutationObserver(client, deleteDevice).mutate(ref);
  const read = (deviceId: 'd_1' | 'd_2') => client.fetchQuery({ ...deviceQuery(deviceId), staleTime: 0 });
  return { readIds, client, remove, read };
}

test('a device is not read from the start of its deletion', async () => {
  const started = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
  const { readIds, client, remove, read } = setUp(() => {
    started.resolve();
    return promise;
  });
  await read('d_1');
  const removal = remove();
  await started.promise;
  await expect(read('d_1')).resolves.toEqual(details);
  await read('d_2');
  resolve({});
  await removal;
  await expect(read('d_1')).resolves.toEqual(details);
  await expect(client.fetchQuery(deviceEventsQuery('d_1'))).rejects.toMatchObject({ kind: 'Invalid' });
  expect(readIds).toEqual(['d_1', 'd_2']);
});

test('a device is read again after its deletion failed', async () => {
  const { readIds, remove, read } = setUp(() => Promise.reject(new ActionError('Forbidden', 'No.')));
  await expect(remove()).rejects.toThrow('No.');
  await read('d_1');
  expect(readIds).toEqual(['d_1']);
});
