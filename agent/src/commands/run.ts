import { keepConnected, Ticker, type RetryWait } from '@corral/client';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink, type DeviceLink } from '../link/device-link.ts';
import { serveForward } from '../link/forward.ts';
import type { Log } from '../log.ts';
import { publishSystemInfo } from '../system/publish-system-info.ts';

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
  let hasReportedPending = false;
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
      publishSystemInfo(link, (message) => log.warn(`the system information was not taken: ${message}`));
    },
    onWaiting: (waiting) => {
      if (isPending(waiting) && !hasReportedPending) reportPending(identity, log);
      hasReportedPending = isPending(waiting);
      const delaySecs = Math.max(1, Math.round(waiting.delayMs / 1_000));
      log.warn(`waiting ${delaySecs} s before trying again because: ${waiting.reason}`);
    },
  });
  log.info('stopped');
}

const isPending = ({ status, reason }: RetryWait): boolean => status === 403 && /\bpending\b/i.test(reason);

function reportPending({ certificate }: DeviceIdentity, log: Log): void {
  log.warn(`certificate pending: ask an operator to accept it, after comparing ${certificate.fingerprint}`);
}
