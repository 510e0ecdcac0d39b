import type { ConnectionEnd } from '@corral/multiplex';
import { backoffMs } from './backoff.ts';
import { ConnectError } from './ConnectError.ts';

/** What is kept: something open that ends by itself. */
export interface ClosableConnection {
  readonly closed: Promise<ConnectionEnd>;
  close(reason: string): void;
}

/** Why there is a wait before the next try, and how long it is. */
export interface RetryWait {
  readonly delayMs: number;
  /** A readable sentence without its full stop. */
  readonly reason: string;
  /** The status of the hub's refusal; undefined when it was none. */
  readonly status: number | undefined;
}

/** What to keep connected, and how. */
export interface ReconnectOptions<Link extends ClosableConnection> {
  /** Connects once; rejected with a ConnectError when that fails. */
  readonly open: (signal: AbortSignal) => Promise<Link>;
  /** Told of every connection; what it throws or rejects with is the caller's own affair and must not happen. */
  readonly onConnected: (link: Link) => void;
  readonly onWaiting: (waiting: RetryWait) => void;
  /** Ends it all: the open connection is closed, a wait or a try is given up. */
  readonly signal: AbortSignal;
  /** What the hub is told of the reason when the signal aborts. */
  readonly stopReason: string;
  /** How long to stay away after a connection that was closed by this side, in milliseconds; absent: as after any other. */
  readonly pauseMs?: () => number;
  readonly nowMs?: () => number;
  readonly random?: () => number;
  /** Waits, no longer than until the signal aborts. */
  readonly sleep?: (durationMs: number, signal: AbortSignal) => Promise<unknown>;
}

/** A connection that lived this long has made up for all failures before it. */
const steadyAfterMs = 60_000;

function sleepFor(durationMs: number, signal: AbortSignal): Promise<unknown> {
  return new Promise<void>((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, durationMs);
    signal.addEventListener('abort', wake, { once: true });
  });
}

/** Connects again and again until the signal aborts. Rejected only with what `open` throws that is no ConnectError. */
export async function keepConnected<Link extends ClosableConnection>(
  options: ReconnectOptions<Link>,
): Promise<void> {
  const { signal, random = Math.random, sleep = sleepFor } = options;
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await connectOnce(options);
    if (signal.aborted) return;
    if (outcome.isSteady) failures = 0;
    const delayMs = outcome.pauseMs ?? backoffMs(failures, outcome.retryAfterMs, random);
    failures = outcome.pauseMs === undefined ? failures + 1 : 0;
    options.onWaiting({ delayMs, reason: outcome.reason, status: outcome.status });
    await sleep(delayMs, signal).catch(() => undefined);
  }
}

interface Outcome {
  readonly reason: string;
  readonly isSteady: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** A wait of this side's own choice. */
  readonly pauseMs?: number | undefined;
}

async function connectOnce<Link extends ClosableConnection>(
  options: ReconnectOptions<Link>,
): Promise<Outcome> {
  const { signal, nowMs = () => performance.now() } = options;
  try {
    const link = await options.open(signal);
    const sinceMs = nowMs();
    const stop = (): void => link.close(options.stopReason);
    if (signal.aborted) stop();
    else options.onConnected(link);
    signal.addEventListener('abort', stop, { once: true });
    const end = await link.closed;
    signal.removeEventListener('abort', stop);
    const pauseMs = end.cause === 'closed' ? options.pauseMs?.() : undefined;
    const isSteady = nowMs() - sinceMs >= steadyAfterMs;
    return { reason: describeEnd(end), isSteady, pauseMs, retryAfterMs: returnTimeMs(end) };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const { status, retryAfterMs } = error;
    return { reason: error.message.replace(/\.$/, ''), isSteady: false, status, retryAfterMs };
  }
}

/** The time that a hub names which ends a connection: knocking right away would only bring the same answer. */
function returnTimeMs({ cause, reason }: ConnectionEnd): number | undefined {
  const [, secs] = /: come back in (\d{1,4}) s$/.exec(cause === 'peer' ? reason : '') ?? [];
  return secs === undefined ? undefined : Number(secs) * 1_000;
}

const ends: Record<ConnectionEnd['cause'], string> = {
  closed: 'the connection was closed',
  peer: 'the hub ended the connection',
  lost: 'the connection was lost',
  violation: 'the hub broke the protocol',
  silent: 'the hub fell silent',
  stalled: 'the hub takes nothing any more',
  failed: 'the connection failed',
};

/** How a connection ended, in words without a full stop. */
function describeEnd({ cause, reason }: ConnectionEnd): string {
  return reason === '' ? ends[cause] : `${ends[cause]}: ${reason}`;
}
