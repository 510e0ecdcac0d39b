import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { ConnectError, keepConnected, Ticker } from '@corral/client';
import { deploymentToken, ownCertificateFiles, type HubConfig } from '../config.ts';
import { CertificateRotation } from '../identity/CertificateRotation.ts';
import { loadIdentity, type DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink, type DeviceLink } from '../link/device-link.ts';
import { serveForward } from '../link/forward.ts';
import type { Log } from '../log.ts';
import { handlerEndpoint } from '../device-commands/serve-handler.ts';
import { isTerminal } from '../terminal/TerminalServer.ts';
import { ConnectSemaphore } from './connect-semaphore.ts';
import type { FaultOf } from './faults.ts';
import { roleOf, type Role } from './roles.ts';
import { simulateDevice } from './simulated-device.ts';
import { FleetStatus } from './fleet-status.ts';
import { SimulatedMachine } from './SimulatedMachine.ts';
import { SimulatedSoftware } from './SimulatedSoftware.ts';

/** The options of a simulated fleet. */
export interface FleetOptions {
  readonly hub: HubConfig;
  readonly devices: number;
  /** A token whose devices need approval by an operator; with it, one device of the fleet uses it. */
  readonly approvalToken: string | undefined;
  /** The hub's certificate in PEM, which is then trusted alone. */
  readonly hubCertificate: string | undefined;
  /** Stores fingerprint and certificate of every device, so that the fleet is the same next time. */
  readonly stateDir: string;
  /** Which devices fail, and how. */
  readonly faultOf: FaultOf;
  /** Makes how long commands take the same the next time. */
  readonly seed: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Fleet extends FleetOptions {
  readonly ticker: Ticker;
  readonly semaphore: ConnectSemaphore;
  readonly status: FleetStatus;
}

const maxConnecting = 16;

/** Keeps a fleet of simulated devices connected, each by a connection of its own, until the signal aborts. */
export async function simulate(options: FleetOptions): Promise<void> {
  const { approvalToken, devices, log, hub, signal } = options;
  if (approvalToken !== undefined) deploymentToken('CORRAL_AGENT_APPROVAL_TOKEN', approvalToken);
  // Every device listens to it; Node.js would warn of a leak.
  setMaxListeners(0, signal);
  log.info(`simulating ${devices} devices at ${hub.hubUrl}`);
  const status = new FleetStatus(devices, log);
  const fleet = {
    ...options,
    ticker: new Ticker(),
    semaphore: new ConnectSemaphore(maxConnecting),
    status,
  };
  fleet.ticker.add(status);
  const devicesRunning = Array.from({ length: devices }, (_, index) => runDevice(fleet, index));
  await Promise.all(devicesRunning).finally(() => fleet.ticker.remove(status));
  if (signal.aborted) log.info('the simulated devices have stopped');
}

async function runDevice(fleet: Fleet, index: number): Promise<void> {
  const { semaphore, signal } = fleet;
  const role = roleOf(index, fleet.approvalToken !== undefined);
  const files = filesOf(fleet.stateDir, index);
  try {
    const identity = await semaphore.run(() => loadIdentity(files), signal);
    const rotation = await CertificateRotation.of(identity, {
      isBusy: () => false,
      // Thousands would say so.
      log: { info: () => undefined, warn: (message: string) => fleet.log.warn(message) },
    });
    const software = await SimulatedSoftware.open(files.stateDir, index);
    const machine = new SimulatedMachine({ ...fleet, index, software });
    const device = { index, role, machine, software };
    await keepConnected<DeviceLink>({
      signal,
      stopReason: 'the agent is stopping',
      open: () => semaphore.run(async () => open(fleet, await rotation.identity(), device), signal),
      onConnected(link) {
        connected(fleet, link, device);
        rotation.serve(link);
      },
      onWaiting: ({ reason }) => fleet.status.waiting(reason),
      pauseMs: () => machine.takeAwayMs() ?? role.disconnectedForMs?.() ?? 0,
    });
  } catch (error) {
    // Cancelled while it waited for the semaphore.
    if (!signal.aborted) throw error;
  }
}

function filesOf(stateDir: string, index: number) {
  const own = join(stateDir, `device-${String(index + 1).padStart(5, '0')}`);
  return { fingerprintScript: undefined, ...ownCertificateFiles(own), stateDir: own };
}

/** A device of the fleet. */
interface Device {
  readonly index: number;
  readonly role: Role;
  readonly machine: SimulatedMachine;
  readonly software: SimulatedSoftware;
}

async function open(fleet: Fleet, identity: DeviceIdentity, { role, machine }: Device): Promise<DeviceLink> {
  const { hubUrl, token } = fleet.hub;
  const credentials = {
    hubUrl,
    token: role.needsApproval ? (fleet.approvalToken ?? token) : token,
    identity,
  };
  const { hubCertificate, signal, ticker } = fleet;
  try {
    return await openDeviceLink(
      {
        ...credentials,
        hubCertificate,
        isRegistered: true,
        onChannelRequest(request) {
          if (request.endpoint === handlerEndpoint) machine.serveHandler(request);
          else if (isTerminal(request.endpoint)) machine.serveTerminal(request);
          else serveForward(request);
        },
        signal,
      },
      ticker,
    );
  } catch (error) {
    if (error instanceof ConnectError && error.retryAfterMs !== undefined)
      fleet.semaphore.pause(error.retryAfterMs);
    throw error;
  }
}

/** All devices together read a property at most ten times a second, however many they are. */
const checkEveryMs = (devices: number): number => Math.max(20_000, devices * 100);

function connected({ status, ticker, log, devices }: Fleet, link: DeviceLink, device: Device): void {
  status.connected();
  void link.closed.then(() => status.disconnected());
  const { index, role, machine, software } = device;
  simulateDevice(link, {
    index,
    ticker,
    machine,
    software,
    checkEveryMs: checkEveryMs(devices),
    connectedForMs: role.connectedForMs,
    onFailure: (message) => log.warn(`simulated device ${index + 1}: ${message}`),
  });
}
