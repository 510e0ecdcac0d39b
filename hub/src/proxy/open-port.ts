import type { Id } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';
import { ProxyFailure } from './ProxyFailure.ts';

/** Opens a channel to a device; undefined when the device is not connected. */
export type OpenChannel = (
  deviceId: Id<'device'>,
  endpoint: string,
  options: { readonly signal: AbortSignal },
) => Promise<Channel> | undefined;

/** A channel to a port of a device. Rejected with a ProxyFailure, or with the reason of the signal, which takes the wish back. */
export async function openPort(
  openChannel: OpenChannel,
  { deviceId, port }: { readonly deviceId: Id<'device'>; readonly port: number },
  { openWithinMs, signal }: { readonly openWithinMs: number; readonly signal: AbortSignal },
): Promise<Channel> {
  const late = AbortSignal.timeout(openWithinMs);
  try {
    const opening = openChannel(deviceId, `forward/tcp/${port}`, { signal: AbortSignal.any([signal, late]) });
    if (opening === undefined) throw new ProxyFailure('offline');
    return await opening;
  } catch (error) {
    if (error instanceof ProxyFailure || signal.aborted) throw error;
    if (error instanceof ChannelRejection) throw new ProxyFailure(rejectionOf(error));
    throw new ProxyFailure(late.aborted ? 'silent' : 'offline');
  }
}

/** The device's words are not shown; but they tell a port that nobody listens on from one that does not answer. */
function rejectionOf({ message }: ChannelRejection): 'silent' | 'busy' | 'refused' {
  if (message.endsWith('does not answer') || message.endsWith('timed out')) return 'silent';
  return message.includes('channel limit') ? 'busy' : 'refused';
}
