import { channelReasons, type Id } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';
import { ProxyFailure } from './ProxyFailure.ts';

/** Opens a channel to a device. Rejected with a ChannelRejection when the device is not connected. */
export type OpenChannel = (
  deviceId: Id<'device'>,
  endpoint: string,
  options: { readonly signal: AbortSignal; readonly isForPages: true },
) => Promise<Channel>;

/** Opens a channel to a port of a device. Rejects with a ProxyFailure, or with the reason of the signal, which cancels the opening. */
export async function openPort(
  openChannel: OpenChannel,
  { deviceId, port }: { readonly deviceId: Id<'device'>; readonly port: number },
  { openTimeoutMs, signal }: { readonly openTimeoutMs: number; readonly signal: AbortSignal },
): Promise<Channel> {
  const timeout = AbortSignal.timeout(openTimeoutMs);
  try {
    return await openChannel(deviceId, `forward/tcp/${port}`, {
      signal: AbortSignal.any([signal, timeout]),
      isForPages: true,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ChannelRejection) throw new ProxyFailure(causeOf(error));
    throw new ProxyFailure(timeout.aborted ? 'silent' : 'offline');
  }
}

type Cause = 'notReady' | 'offline' | 'silent' | 'busy' | 'refused';
const causes: Readonly<Record<string, Cause>> = {
  [channelReasons.hubNotReady]: 'notReady',
  [channelReasons.hubOfAnotherRelease]: 'notReady',
  [channelReasons.deviceNotConnected]: 'offline',
  [channelReasons.hubUnreachable]: 'offline',
  [channelReasons.deviceSilent]: 'silent',
  [channelReasons.portSilent]: 'silent',
  [channelReasons.limitReached]: 'busy',
};

/** Agents that are not ours say in words of their own why a port refused. */
function causeOf({ message }: ChannelRejection): Cause {
  return causes[message] ?? 'refused';
}
