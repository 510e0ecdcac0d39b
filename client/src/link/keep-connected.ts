import type { ConnectionEnd } from '@corral/multiplex';
import { backoffMs, maxCeilingMs } from './backoff.ts';
import { ConnectError } from './ConnectError.ts';

/** An open connection. */
export interface ClosableConnection {
  readonly closed: Promise<ConnectionEnd>;
  close(reason: string): void;
}

/** The wait before the next attempt. */
export interface RetryWait {
  readonly delayMs: number;
  /** Why, as a sentence without its full stop. */
  readonly reason: string;
  /** The word for programs in a refusal of the hub. */
  readonly failure: string | undefined;
}

/** How to connect and reconnect. */
export interface ReconnectOptions<Link extends ClosableConnection> {
  /** Connects once; rejected with a ConnectError when that fails. */
  readonly open: (signal: AbortSignal) => Promise<Link>;
  /** Called for every connection; must not throw. */
  readonly onConnected: (link: Link) => void;
  readonly onWaiting: (waiting: RetryWait) => void;
  /** Stops: closes the open connection, or cancels the wait or the attempt. */
  readonly signal: AbortSignal;
  /** The reason sent to the hub when the signal aborts. */
  readonly stopReason: string;
  /** How long to wait after this side closed the connection, in milliseconds; when absent, as after any other end. */
  readonly pauseMs?: () => number;
  readonly nowMs?: () => number;
  readonly random?: () => number;
  /** Waits, at most until the signal aborts. */
  readonly sleep?: (durationMs: number, signal: AbortSignal) => Promise<unknown>;
}

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

/** Keeps a connection open, with backoff between attempts, until the signal aborts. Rejected only with errors of `open` that are no ConnectError. */
export async function keepConnected<Link extends ClosableConnection>(
  options: ReconnectOptions<Link>,
): Promise<void> {
  const { signal, random = Math.random, sleep = sleepFor } = options;
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await connectOnce(options);
    if (signal.aborted) return;
    if (outcome.lastedMs >= maxCeilingMs || outcome.isOrderly === true) failures = 0;
    const { retryAfterMs = 0, lastedMs } = outcome;
    const delayMs = outcome.pauseMs ?? backoffMs(failures, retryAfterMs, random, lastedMs);
    // A hub that says when to come back has not failed.
    if (outcome.isOrderly !== true && retryAfterMs <= 0) failures += 1;
    options.onWaiting({ delayMs, reason: outcome.reason, failure: outcome.failure });
    await sleep(delayMs, signal).catch(() => undefined);
  }
}

interface Outcome {
  readonly reason: string;
  /** How long the connection was open; 0 if it was never. A connection that lasted as long as the longest wait resets the backoff. */
  readonly lastedMs: number;
  /** Whether this side ended the connection, or a hub that said when to come back: no failure. */
  readonly isOrderly?: boolean;
  readonly failure?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The wait after this side closed the connection. */
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
    const lastedMs = nowMs() - sinceMs;
    const retryAfterMs = requestedWaitMs(end);
    const isOrderly = pauseMs !== undefined || retryAfterMs !== undefined;
    return { reason: describeEnd(end), lastedMs, isOrderly, pauseMs, retryAfterMs };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const { failure, retryAfterMs } = error;
    return { reason: error.message.replace(/\.$/, ''), lastedMs: 0, failure, retryAfterMs };
  }
}

/** The close frame of the protocol has nothing but a reason. */
const comeBack = /: come back in (\d{1,4}) s$/;

/** A reason of a hub for people, without the time that it schedules for programs. */
export const withoutSchedule = (reason: string): string => reason.replace(comeBack, '');

/** The time in the close reason of a hub that schedules the reconnect. */
function requestedWaitMs({ cause, reason }: ConnectionEnd): number | undefined {
  const [, secs] = comeBack.exec(cause === 'peer' ? reason : '') ?? [];
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
  return reason === '' ? ends[cause] : `${ends[cause]}: ${withoutSchedule(reason)}`;
}
