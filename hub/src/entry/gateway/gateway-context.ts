import type { Id } from '@corral/contract';
import type { ConnectionEnd } from '@corral/multiplex';
import type { UntakenAnswers } from '../../calls/turns.ts';
import type { UntrustedHeaderReports } from '../../calls/untrusted-header-reports.ts';
import type { AllRefusedCalls } from '../../limits/bucket.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { EventBus } from '../../platform/events/bus.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import type { SampledLog } from '../../platform/log/sampled-log.ts';
import type { ChannelRouter, PeerNodes } from './channel-router.ts';
import type { ConnectRateLimit } from './connect-rate-limit.ts';
import type { ForwardedStream } from './forward.ts';
import type { ConnectionRegistry, Link } from './link.ts';
import type { OperationWork } from './operation-work.ts';
import type { Presence } from './presence.ts';
import type { CallPace } from './serve-executor.ts';
import type { RefusedArrivals } from './refused-arrivals.ts';
import type { AdmissionParts, PendingReports } from './upgrade.ts';

/** The dependencies of the gateway. */
export interface GatewayParts extends AdmissionParts {
  readonly bus: EventBus;
  readonly nodeId: () => Id<'clusterNode'>;
  /** For how many milliseconds this node has had no lease; 0 while it has one. Without this function it always has one. */
  readonly leaselessMs?: () => number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** The refused calls, shared with HTTP; by default of its own. */
  readonly refusedCalls?: AllRefusedCalls;
  /** Bounds the answers that are made but not yet sent, shared with HTTP; by default of its own. */
  readonly untakenAnswers?: UntakenAnswers;
  /** How long a forward waits for a port of a device; 15 s by default. */
  readonly forwardTimeoutMs?: number | undefined;
  /** Streams of forwards that a user may have through this node, and to devices of this node; 512 by default. */
  readonly maxStreamsPerUser?: number | undefined;
  /** How long a node that stops waits for commands that run on devices, in milliseconds; two minutes by default. */
  readonly commandsTimeoutMs?: number | undefined;
  /** The other nodes of the cluster; without them all devices are connected to this node. */
  readonly peers?: PeerNodes | undefined;
  /** How many connections there may be; any number by default. */
  readonly maxLinks?: number;
  readonly log: Record<'debug' | 'info' | 'warn' | 'error', (fields: LogFields, message: string) => void>;
}

/** The state and the parts of one gateway. */
export interface GatewayContext {
  readonly parts: GatewayParts;
  readonly registry: ConnectionRegistry;
  readonly router: ChannelRouter;
  readonly forwardedStreams: Set<ForwardedStream>;
  /** The streams that users have through this node. */
  readonly streamsOfUsers: FairSemaphore;
  readonly rateLimit: ConnectRateLimit;
  readonly admissions: FairSemaphore;
  /** Calls by link; one that waits is not read, so it costs only its channel. */
  readonly calls: FairSemaphore;
  /** Inputs that are being read; the others wait without credit. */
  readonly largeInputs: FairSemaphore;
  readonly callPace: CallPace;
  readonly untakenAnswers: UntakenAnswers;
  readonly presence: Presence;
  readonly operations: OperationWork;
  readonly refusedArrivals: RefusedArrivals;
  readonly untrustedHeaders: UntrustedHeaderReports;
  /** Refused connections and properties: a flood of them must not fill the log. */
  readonly refusals: SampledLog;
  readonly pendingReports: PendingReports;
  /** Upgrade attempts that are not answered yet. */
  readonly upgrades: Set<Promise<void>>;
  isStopping: boolean;
  isDraining: boolean;
}

/** Removes a connection and records its end. */
export function removeLink(context: GatewayContext, link: Link, end?: ConnectionEnd): void {
  context.registry.remove(link);
  context.operations.forget(link);
  context.presence.end(link, {
    endReason: context.isStopping ? 'ServerShutdown' : 'Disconnected',
    ...(end === undefined ? {} : { cause: causes[end.cause], detail: end.reason }),
  });
}

const causes = {
  closed: 'Closed',
  peer: 'Left',
  lost: 'Lost',
  violation: 'Violation',
  silent: 'Silent',
  stalled: 'Stalled',
  failed: 'Failed',
} as const;

/** Identifies a connection in the log. */
export function logFieldsOf(link: Link): object {
  const { deviceId, userId } = link.credentialRefs;
  return { ...(deviceId === undefined ? { userId } : { deviceId }), address: link.remoteAddress };
}
