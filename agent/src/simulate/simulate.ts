import { join } from 'node:path';
import { ConnectError, keepConnected, Ticker } from '@corral/client';
import { deploymentToken, type HubConfig } from '../config.ts';
import { loadIdentity, type DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink, type DeviceLink } from '../link/device-link.ts';
import { serveForward } from '../link/forward.ts';
import type { Log } from '../log.ts';
import { ConnectSemaphore } from './connect-semaphore.ts';
import { roleOf, type Role } from './roles.ts';
import { simulateDevice } from './simulated-device.ts';
import { FleetStatus } from './fleet-status.ts';

/** What a fleet is made of. */
export interface FleetOptions {
  readonly hub: HubConfig;
  readonly devices: number;
  /** A token whose devices wait for an operator; with it, one of the fleet does. */
  readonly askingToken: string | undefined;
  /** Holds fingerprint and certificate of every device, so that it is the same fleet next time. */
  readonly stateDir: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Fleet extends FleetOptions {
  readonly ticker: Ticker;
  readonly semaphore: ConnectSemaphore;
  readonly status: FleetStatus;
}

const connectingAtOnce = 16;

/** Keeps a fleet of simulated devices connected, each by a connection of its own, until the signal aborts. */
export async function simulate(options: FleetOptions): Promise<void> {
  const { askingToken, devices, log, hub, signal } = options;
  if (askingToken !== undefined) deploymentToken('CORRAL_AGENT_ASKING_TOKEN', askingToken);
  log.info(`simulating ${devices} devices at ${hub.hubUrl}`);
  const status = new FleetStatus(devices, log);
  const fleet = {
    ...options,
    ticker: new Ticker(),
    semaphore: new ConnectSemaphore(connectingAtOnce),
    status,
  };
  fleet.ticker.add(status);
  const lives = Array.from({ length: devices }, (_, index) => live(fleet, index));
  await Promise.all(lives).finally(() => fleet.ticker.remove(status));
  if (signal.aborted) log.info('the simulated devices have stopped');
}

async function live(fleet: Fleet, index: number): Promise<void> {
  const { semaphore, signal } = fleet;
  const role = roleOf(index, fleet.askingToken !== undefined);
  try {
    const identity = await semaphore.through(() => loadIdentity(placeOf(fleet.stateDir, index)), signal);
    await keepConnected<DeviceLink>({
      signal,
      stopReason: 'the agent is stopping',
      open: () => semaphore.through(() => open(fleet, identity, role), signal),
      onConnected: (link) => connected(fleet, link, index, role),
      onWaiting: ({ reason }) => fleet.status.waits(reason),
      ...(role.awayForMs === undefined ? {} : { pauseMs: role.awayForMs }),
    });
  } catch (error) {
    // Given up before its turn came.
    if (!signal.aborted) throw error;
  }
}

function placeOf(stateDir: string, index: number) {
  const own = join(stateDir, `device-${String(index + 1).padStart(5, '0')}`);
  return {
    fingerprintScript: undefined,
    certificateFile: join(own, 'certificate.pem'),
    keyFile: join(own, 'key.pem'),
    stateDir: own,
  };
}

async function open(fleet: Fleet, identity: DeviceIdentity, role: Role): Promise<DeviceLink> {
  const { hubUrl, token } = fleet.hub;
  const credentials = { hubUrl, token: role.isAsking ? (fleet.askingToken ?? token) : token, identity };
  const { signal, ticker } = fleet;
  try {
    return await openDeviceLink(
      { ...credentials, isRegistered: true, onChannelRequest: serveForward, signal },
      ticker,
    );
  } catch (error) {
    if (error instanceof ConnectError && error.retryAfterMs !== undefined)
      fleet.semaphore.close(error.retryAfterMs);
    throw error;
  }
}

function connected({ status, ticker, log }: Fleet, link: DeviceLink, index: number, role: Role): void {
  status.connected();
  void link.closed.then(() => status.disconnected());
  simulateDevice(link, {
    index,
    ticker,
    staysForMs: role.staysForMs,
    onFailure: (message) => log.warn(`simulated device ${index + 1}: ${message}`),
  });
}
