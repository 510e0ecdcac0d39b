import { channelReasons } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** Opens a channel over a connection of this node; undefined if the device is not connected here. */
export type OpenHere = () => Promise<Channel> | undefined;

/** Shorter than the timeout of the other node, so that it gets the reason. */
const maxWaitMs = 10_000;

/**
 * Opens a stream for a page that another node serves. Until it is closed, it takes one of the slots of the device, which this node counts for all nodes. Rejects with a
 * ChannelRejection when no slot is free for 10 s, and when the device is not connected here.
 */
export async function openForPeer(
  streams: FairSemaphore,
  deviceId: string,
  open: OpenHere,
  signal: AbortSignal,
): Promise<Channel> {
  const release = await placeOf(streams, deviceId, signal);
  try {
    const channel = await open();
    if (channel === undefined) throw new ChannelRejection(channelReasons.deviceNotConnected);
    void channel.closed.then(release);
    return channel;
  } catch (error) {
    release();
    throw error;
  }
}

async function placeOf(streams: FairSemaphore, deviceId: string, signal: AbortSignal): Promise<() => void> {
  try {
    return await streams.take(
      { caller: deviceId },
      AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]),
    );
  } catch (error) {
    if (error instanceof ProxyFailure || (error as Error).name === 'TimeoutError')
      throw new ChannelRejection(channelReasons.limitReached);
    throw error;
  }
}
