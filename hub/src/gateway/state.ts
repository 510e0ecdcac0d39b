import type { Id } from '@corral/contract';
import type { EventBus } from '../events/bus.ts';
import type { Gate } from '../gate.ts';
import type { UntrustedHeaderReports } from '../untrusted-header-reports.ts';
import type { AdmissionParts } from './admit.ts';
import type { Directory } from './directory.ts';
import type { ConnectRateLimit } from './connect-rate-limit.ts';
import type { Forwarding } from './forward.ts';
import type { InputMemory } from './input-memory.ts';
import type { Link } from './link.ts';
import type { Presence } from './presence.ts';

/** What the gateway is built from. */
export interface GatewayParts extends AdmissionParts {
  readonly bus: EventBus;
  readonly nodeId: () => Id<'clusterNode'>;
  /** For how many milliseconds this node has had no lease; 0 while it has one, and without it always. */
  readonly leaselessMs?: () => number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly log: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;
}

/** What the parts of one gateway share. */
export interface State {
  readonly parts: GatewayParts;
  readonly directory: Directory;
  readonly forwardings: Set<Forwarding>;
  readonly rateLimit: ConnectRateLimit;
  readonly admissions: Gate;
  readonly inputs: InputMemory;
  readonly presence: Presence;
  readonly untrustedHeaders: UntrustedHeaderReports;
  /** Upgrades that are not decided yet. */
  readonly upgrades: Set<Promise<void>>;
  isStopping: boolean;
  isSendingAway: boolean;
}

/** Forgets a connection and has its end recorded. */
export function forget(state: State, link: Link): void {
  state.directory.remove(link);
  state.presence.end(link, state.isStopping ? 'ServerShutdown' : 'Disconnected');
}

/** Who a connection is, for the log. */
export function whoIs(link: Link): object {
  const { deviceId, userId } = link.foundations;
  return { ...(deviceId === undefined ? { userId } : { deviceId }), address: link.remoteAddress };
}
