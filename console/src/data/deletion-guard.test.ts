import { ActionError } from '@corral/contract';
import { MutationObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { deleteDevice } from './mutations-devices.ts';
import { createQueryClient } from './query-client.ts';
import { deviceEventsQuery, deviceQuery } from './queries-devices.ts';
import { tableHub } from './table-hub.ts';

const ref = { projectId: 'p_1', deviceId: 'd_1' } as const;
const details = { deviceId: 'd_1', projectId: 'p_1' } as never;

function parts(answer: () => Promise<Record<string, never>>) {
  const asked: string[] = [];
  const hub = tableHub({
    devices_DeleteDevice: answer,
    devices_GetDeviceDetails: ({ deviceId }) => {
      asked.push(deviceId);
      return details;
    },
  });
  const client = createQueryClient({ hub });
  const remove = () => new MutationObserver(client, deleteDevice).mutate(ref);
  const read = (deviceId: 'd_1' | 'd_2') => client.fetchQuery({ ...deviceQuery(deviceId), staleTime: 0 });
  return { asked, client, remove, read };
}

test('nothing is asked about a device from the moment that it is being deleted', async () => {
  const begun = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
  const { asked, client, remove, read } = parts(() => {
    begun.resolve();
    return promise;
  });
  await read('d_1');
  const removal = remove();
  await begun.promise;
  await expect(read('d_1')).resolves.toEqual(details);
  await read('d_2');
  resolve({});
  await removal;
  await expect(read('d_1')).resolves.toEqual(details);
  await expect(client.fetchQuery(deviceEventsQuery('d_1'))).rejects.toMatchObject({ kind: 'Invalid' });
  expect(asked).toEqual(['d_1', 'd_2']);
});

test('a device that could not be deleted is asked about again', async () => {
  const { asked, remove, read } = parts(() => Promise.reject(new ActionError('Forbidden', 'No.')));
  await expect(remove()).rejects.toThrow('No.');
  await read('d_1');
  expect(asked).toEqual(['d_1']);
});
