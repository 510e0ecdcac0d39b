import { Ticker, type Executor } from '@corral/client';
import type { Id } from '@corral/contract';
import { RpcError } from '@corral/multiplex';
import { AgentError } from '../AgentError.ts';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink } from '../link/device-link.ts';

/** What a one-shot command works with. */
export interface DeviceCall {
  readonly deviceId: Id<'device'>;
  readonly executor: Executor;
}

const callTimeoutMs = 60_000;

/**
 * Connects without registering as connected, does one thing and disconnects. Rejected with a ConnectError when connecting fails, with an
 * AgentError that reads `Kind: message` when the hub answers with an error.
 */
export async function runOneShot<Result>(
  hub: HubConfig,
  identity: DeviceIdentity,
  work: (call: DeviceCall) => Promise<Result>,
): Promise<Result> {
  const link = await openDeviceLink({ ...hub, identity, isRegistered: false }, new Ticker());
  const tooLate = setTimeout(() => link.close('the hub does not answer'), callTimeoutMs);
  try {
    return await work(link);
  } catch (cause) {
    if (cause instanceof RpcError) throw new AgentError(`${cause.kind}: ${cause.message}`, { cause });
    if (link.end !== undefined)
      throw new AgentError(`The hub ended the connection: ${link.end.reason || 'no reason was given'}.`, {
        cause,
      });
    throw cause;
  } finally {
    clearTimeout(tooLate);
    link.close('done');
  }
}
