import { keepConnected, type RetryWait, Ticker } from '@corral/client';
import { isRevocation } from '@corral/contract';
import { BytePool, StreamAcceptor, type ChannelRequest } from '@corral/multiplex';
import type { CommandsConfig, HubConfig, TerminalConfig } from '../config.ts';
import { handlerEndpoint } from '../device-commands/serve-handler.ts';
import { prepareOffer } from '../device-commands/prepare-offer.ts';
import { CertificateRotation } from '../identity/CertificateRotation.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink, type DeviceLink } from '../link/device-link.ts';
import { serveForward } from '../link/forward.ts';
import type { Log } from '../log.ts';
import { publishSystemInfo } from '../system/publish-system-info.ts';
import type { AgentInfo } from '../system/system-info.ts';
import { prepareTerminals } from '../terminal/prepare-terminals.ts';
import { isTerminal } from '../terminal/TerminalServer.ts';
import { version } from '../version.ts';
import { waitingReport } from './waiting-report.ts';

/** The options of the agent. */
export interface RunOptions {
  readonly hub: HubConfig;
  readonly identity: DeviceIdentity;
  readonly commands: CommandsConfig;
  readonly terminal: TerminalConfig;
  /** Where the steps of operations are recorded. */
  readonly stateDir: string;
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
export async function run(options: RunOptions): Promise<void> {
  const { hub, log, signal } = options;
  const ticker = new Ticker();
  const acceptor = new StreamAcceptor({
    pool: new BytePool(streamPoolBytes),
    schedule,
    now: () => performance.now(),
    isRevocation,
  });
  // While there is still a connection that says so; its end alone would make the other side wait.
  signal.addEventListener('abort', () => acceptor.close(stopReason), { once: true });
  const offer = await prepareOffer(options.commands, options.stateDir, log);
  const terminals = prepareTerminals(options.terminal, log);
  const onChannelRequest = (request: ChannelRequest): void => {
    if (request.endpoint === handlerEndpoint && offer !== undefined) offer.serveHandler(request);
    else if (isTerminal(request.endpoint)) terminals.serve(request);
    else serveForward(request, acceptor);
  };
  const isBusy = () => offer?.isBusy() === true || terminals.isBusy();
  const rotation = await CertificateRotation.of(options.identity, { isBusy, log });
  log.info(`corral-agent starts; its certificate is ${rotation.fingerprint}`);
  await keepConnected<DeviceLink>({
    signal,
    stopReason,
    open: async (connectSignal) =>
      openDeviceLink(
        {
          ...hub,
          identity: await rotation.identity(),
          onChannelRequest,
          signal: connectSignal,
          isRegistered: true,
          canResume: true,
        },
        ticker,
      ),
    onConnected(link) {
      log.info(`connected to ${hub.hubUrl} as ${link.deviceId}`);
      publishSystemInfo(link, agentInfo(options, terminals.users), (message) =>
        log.warn(`the hub refused the system information: ${message}`),
      );
      offer?.serve(link);
      rotation.serve(link);
    },
    onWaiting: whileWaiting(rotation, log),
  });
  log.info('stopped');
}

function whileWaiting(rotation: CertificateRotation, log: Log): (waiting: RetryWait) => void {
  const report = waitingReport(() => rotation.fingerprint, log);
  return (waiting) => {
    rotation.refused(waiting.failure);
    report(waiting);
  };
}

function agentInfo(
  { commands: { directory, pollIntervalSecs } }: RunOptions,
  terminalUsers: readonly string[],
): AgentInfo {
  return {
    version: version(),
    config: {
      commands: { enabled: directory !== undefined },
      operations: { enabled: pollIntervalSecs !== undefined },
      terminal: { enabled: terminalUsers.length > 0, users: terminalUsers },
    },
  };
}
