import { expect, test } from 'vitest';
import { createLive } from './live.ts';
import { createQueryClient } from './query-client.ts';
import { stubHub } from './stub-hub.ts';

test('the stream begins when the first reads have been answered, because one of them may know less than the others', async () => {
  const client = createQueryClient({ hub: stubHub({}) });
  const { promise, resolve } = Promise.withResolvers<string>();
  let streams = 0;
  const live = createLive(client, () => {
    streams += 1;
    return () => (streams -= 1);
  });
  const read = client.fetchQuery({ queryKey: ['slow'], queryFn: () => promise });
  const stop = live.follow();
  expect(streams).toBe(0);
  resolve('answered');
  await read;
  expect(streams).toBe(1);
  stop();
  expect(streams).toBe(0);
});
