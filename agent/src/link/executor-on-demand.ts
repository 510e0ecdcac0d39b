import { ConnectError, Ticker, type Executor } from '@corral/client';
import { ActionError, type WireErrorKind } from '@corral/contract';
import { RpcError } from '@corral/multiplex';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink, type DeviceLink } from './device-link.ts';

/** Runs actions as this device over a connection that opens when it is needed, and again after it was lost. */
export interface ExecutorOnDemand extends Executor {
  /** Ends the connection. */
  close(): void;
}

const callTimeoutMs = 60_000;

/** Creates the executor without connecting. Its calls are rejected with an ActionError for an error answer, with a ConnectError without one. */
export function executorOnDemand(
  hub: HubConfig,
  identity: DeviceIdentity,
  signal: AbortSignal,
): ExecutorOnDemand {
  const ticker = new Ticker();
  let opening: Promise<DeviceLink> | undefined;
  const open = (): Promise<DeviceLink> => {
    const started = openDeviceLink({ ...hub, identity, isRegistered: false, signal }, ticker);
    const forget = (): void => {
      if (opening === started) opening = undefined;
    };
    started.then((link) => link.closed).then(forget, forget);
    opening = started;
    return started;
  };
  return {
    async invoke(name, input) {
      const link = await (opening ?? open());
      const tooLate = setTimeout(() => link.close('the hub does not answer'), callTimeoutMs);
      try {
        return await link.executor.invoke(name, input);
      } catch (error) {
        if (error instanceof RpcError)
          throw new ActionError(error.kind as WireErrorKind, error.message, { cause: error });
        throw new ConnectError('The connection to the hub was lost.');
      } finally {
        clearTimeout(tooLate);
      }
    },
    close: () => void opening?.then((link) => link.close('done')).catch(() => undefined),
  };
}
