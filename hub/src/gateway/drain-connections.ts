import { setTimeout as delay } from 'node:timers/promises';
import type { Link } from './link.ts';

/** Connections closed a second, so that clients that reconnect at once are spread. */
const perSecond = 500;
const stepMs = 100;
/** Upper bound of the whole drain, however many connections there are. */
const maxDrainMs = 18_000;
/** How long a running call may keep its connection open. */
const callTimeoutMs = 5_000;
/** How long the peer has to read the response: old clients drop unread data when the connection ends. */
const answerGraceMs = 250;

/** How long draining `count` connections takes without running calls, in milliseconds. */
export function drainDurationMs(count: number): number {
  return Math.min((count / perSecond) * 1_000, maxDrainMs);
}

/** Closes connections spread over time; one with a running call closes after its response. Resolves when the close of all has begun. */
export async function drainConnections(
  links: readonly Link[],
  reasonFor: (link: Link) => string,
): Promise<void> {
  const perStep = Math.max((perSecond * stepMs) / 1_000, Math.ceil((links.length * stepMs) / maxDrainMs));
  const closing: Promise<void>[] = [];
  for (let index = 0; index < links.length; index += perStep) {
    if (index > 0) await delay(stepMs);
    for (const link of links.slice(index, index + perStep)) closing.push(closeAfterCalls(link, reasonFor));
  }
  await Promise.all(closing);
}

async function closeAfterCalls(link: Link, reasonFor: (link: Link) => string): Promise<void> {
  if (link.callCount > 0) {
    await Promise.race([link.whenIdle(), delay(callTimeoutMs)]);
    await delay(answerGraceMs);
  }
  link.close(reasonFor(link));
}
