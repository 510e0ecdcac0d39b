import { ActionError } from '@corral/contract';
import { expect, test, vi } from 'vitest';
import { createLive } from './data/live.ts';
import { createLiveCursor } from './data/live-cursor.ts';
import { createQueryClient } from './data/query-client.ts';
import { stubHub } from './data/stub-hub.ts';
import { hubStream } from './hub-stream.ts';

/** A hub that can be reached only while `network` is up, and the live view of it, whose code comes from there too. */
function liveOver(network: { isUp: boolean }, subscribed = () => {}) {
  const answer = () => {
    if (!network.isUp) throw new ActionError('NotReady', 'No answer.', { cause: new TypeError('offline') });
    return { actor: { actor: 'User', kind: 'User', userId: 'u_1' } } as const;
  };
  const client = createQueryClient({ hub: stubHub({ actor_GetActor: answer }) });
  const load = vi.fn(() =>
    network.isUp
      ? Promise.resolve({
          subscribeToStaleQueries: ({ onOpen }: { onOpen: () => void }) => {
            subscribed();
            onOpen();
            return () => undefined;
          },
        })
      : Promise.reject(new TypeError('offline')),
  );
  return { load, live: createLive(client, hubStream(createLiveCursor(), load)) };
}

test('while the code of the stream cannot be loaded, the console is offline; it is loaded again until it is there', async () => {
  vi.useFakeTimers();
  try {
    const network = { isUp: false };
    const { live, load } = liveOver(network);
    const stop = live.follow();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(load).toHaveBeenCalledTimes(3);
    expect(live.status().state).toBe('offline');
    network.isUp = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(live.status().state).toBe('live');
    stop();
    expect(live.status().state).toBe('polling');
  } finally {
    vi.useRealTimers();
  }
});

test('the code of a stream that has been stopped is not loaded again', async () => {
  vi.useFakeTimers();
  try {
    const network = { isUp: false };
    const subscribed = vi.fn();
    const { live, load } = liveOver(network, subscribed);
    const stop = live.follow();
    await vi.advanceTimersByTimeAsync(1_000);
    stop();
    network.isUp = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(load).toHaveBeenCalledTimes(1);
    expect(subscribed).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
