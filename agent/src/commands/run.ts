import { keepConnected, Ticker } from '@corral/client';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink, type DeviceLink } from '../link/device-link.ts';
import { serveForward } from '../link/forward.ts';
import type { Log } from '../log.ts';
import { publishSystemInfo } from '../system/publish-system-info.ts';
import { waitingReport } from './waiting-report.ts';

/** The options of the agent. */
export interface RunOptions {
  readonly hub: HubConfig;
  readonly identity: DeviceIdentity;
  readonly log: Log;
  /** Stops the agent. */
  readonly signal: AbortSignal;
}

/** Keeps this device connected to its hub until the signal aborts. */
export async function run({ hub, identity, log, signal }: RunOptions): Promise<void> {
  const ticker = new Ticker();
  log.info(`corral-agent starts; its certificate is ${identity.certificate.fingerprint}`);
  await keepConnected<DeviceLink>({
    signal,
    stopReason: 'the agent is stopping',
    open: (connectSignal) =>
      openDeviceLink(
        { ...hub, identity, isRegistered: true, onChannelRequest: serveForward, signal: connectSignal },
        ticker,
      ),
    onConnected(link) {
      log.info(`connected to ${hub.hubUrl} as ${link.deviceId}`);
      publishSystemInfo(link, (message) => log.warn(`the hub refused the system information: ${message}`));
    },
    onWaiting: waitingReport(identity.certificate.fingerprint, log),
  });
  log.info('stopped');
}
