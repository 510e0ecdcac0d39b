import { setTimeout as delay } from 'node:timers/promises';
import type { Link } from './link.ts';

/** Connections closed a second, so that clients that reconnect at once are spread. */
const perSecond = 500;
const stepMs = 100;

/** The times of a drain, in milliseconds. */
interface DrainTimes {
  /** All connections have their turn within this time, however many there are. */
  readonly turnsMs: number;
  /** How long a running call may keep its connection open. */
  readonly callMs: number;
  /** How long after all turns a call may do so. */
  readonly lastCallsMs: number;
}

const defaultTimes: DrainTimes = { turnsMs: 18_000, callMs: 5_000, lastCallsMs: 2_000 };
/** How long the peer has to read the response: old clients drop unread data when the connection ends. */
const answerGraceMs = 250;

/** How long draining `count` connections takes without running calls, in milliseconds. */
export function drainDurationMs(count: number): number {
  return Math.min((count / perSecond) * 1_000, defaultTimes.turnsMs);
}

/** Closes connections spread over time; one with a running call closes after its response, also that of a call which `beforeClose` lets end. Resolves when the close of all has begun, by default after 20.5 s at the latest. */
export async function drainConnections(
  links: readonly Link[],
  reasonFor: (link: Link) => string,
  { turnsMs, callMs, lastCallsMs } = defaultTimes,
  beforeClose: (link: Link) => void = () => {},
): Promise<void> {
  const endsAtMs = performance.now() + turnsMs;
  const callMsNow = (): number => Math.max(0, Math.min(callMs, endsAtMs + lastCallsMs - performance.now()));
  const closing: Promise<void>[] = [];
  for (let index = 0; index < links.length;) {
    if (index > 0) await delay(stepMs);
    const share = shareOfStep(links.length - index, endsAtMs - performance.now());
    for (const link of links.slice(index, index + share)) {
      beforeClose(link);
      closing.push(closeAfterCalls(link, callMsNow(), reasonFor));
    }
    index += share;
  }
  await Promise.all(closing);
}

/** How many of the connections that are left are closed in one step; steps of a busy event loop take longer. */
function shareOfStep(left: number, leftMs: number): number {
  return Math.max((perSecond * stepMs) / 1_000, Math.ceil((left * stepMs) / Math.max(leftMs, stepMs)));
}

async function closeAfterCalls(link: Link, callMs: number, reasonFor: (link: Link) => string): Promise<void> {
  if (link.callCount > 0) {
    await Promise.race([link.whenIdle(), delay(callMs)]);
    await delay(answerGraceMs);
  }
  link.close(reasonFor(link));
}
