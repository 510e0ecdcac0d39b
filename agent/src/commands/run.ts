import { keepConnected, Ticker } from '@corral/client';
import { isRevocation } from '@corral/contract';
import { BytePool, StreamAcceptor, type ChannelRequest } from '@corral/multiplex';
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

/** What the streams of forwards may hold beyond 512 KiB each: 64 of them 64 MiB together. */
const streamPoolBytes = 33_554_432;
const stopReason = 'the agent is stopping';

function schedule(work: () => void, delayMs: number): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Keeps this device connected to its hub until the signal aborts. */
export async function run({ hub, identity, log, signal }: RunOptions): Promise<void> {
  const ticker = new Ticker();
  const acceptor = new StreamAcceptor({
    pool: new BytePool(streamPoolBytes),
    schedule,
    now: () => performance.now(),
    isRevocation,
  });
  // While there is still a connection that says so; its end alone would make the other side wait.
  signal.addEventListener('abort', () => acceptor.close(stopReason), { once: true });
  const onChannelRequest = (request: ChannelRequest): void => serveForward(request, acceptor);
  log.info(`corral-agent starts; its certificate is ${identity.certificate.fingerprint}`);
  await keepConnected<DeviceLink>({
    signal,
    stopReason,
    open: (connectSignal) =>
      openDeviceLink(
        { ...hub, identity, isRegistered: true, onChannelRequest, canResume: true, signal: connectSignal },
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
