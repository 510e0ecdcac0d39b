import type { Id } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';
import { ProxyFailure } from './ProxyFailure.ts';

/** Opens a channel to a device; undefined when the device is not connected. */
export type OpenChannel = (
  deviceId: Id<'device'>,
  endpoint: string,
  options: { readonly signal: AbortSignal },
) => Promise<Channel> | undefined;

/** Opens a channel to a port of a device. Rejects with a ProxyFailure, or with the reason of the signal, which cancels the opening. */
export async function openPort(
  openChannel: OpenChannel,
  { deviceId, port }: { readonly deviceId: Id<'device'>; readonly port: number },
  { openTimeoutMs, signal }: { readonly openTimeoutMs: number; readonly signal: AbortSignal },
): Promise<Channel> {
  const timeout = AbortSignal.timeout(openTimeoutMs);
  try {
    const opening = openChannel(deviceId, `forward/tcp/${port}`, {
      signal: AbortSignal.any([signal, timeout]),
    });
    if (opening === undefined) throw new ProxyFailure('offline');
    return await opening;
  } catch (error) {
    if (error instanceof ProxyFailure || signal.aborted) throw error;
    if (error instanceof ChannelRejection) throw new ProxyFailure(causeOf(error));
    throw new ProxyFailure(timeout.aborted ? 'silent' : 'offline');
  }
}

/** The agent's message is not shown; it only tells a refused connection from a timeout. */
function causeOf({ message }: ChannelRejection): 'silent' | 'busy' | 'refused' {
  if (message.endsWith('does not answer') || message.endsWith('timed out')) return 'silent';
  return message.includes('channel limit') ? 'busy' : 'refused';
}
