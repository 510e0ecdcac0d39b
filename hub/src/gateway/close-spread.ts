import { setTimeout as pass } from 'node:timers/promises';
import type { Link } from './link.ts';

/** So many connections are ended a second, so that those who come back at once do not come all at once. */
const perSecond = 500;
const stepMs = 100;
/** However many there are, their ends take no longer. */
const longestMs = 18_000;
/** How long a call that is under way may keep its connection. */
const callPatienceMs = 5_000;
/** How long the peer gets to take the answer: old ones forget what they have not read when the connection ends. */
const answerGraceMs = 250;

/** How long it takes to end so many connections, if no call holds them up, in milliseconds. */
export function closeSpreadMs(count: number): number {
  return Math.min((count / perSecond) * 1_000, longestMs);
}

/** Ends connections, spread over time; one with a call under way ends behind its answer. Fulfilled when all are told to end. */
export async function closeSpread(links: readonly Link[], reasonFor: (link: Link) => string): Promise<void> {
  const perStep = Math.max((perSecond * stepMs) / 1_000, Math.ceil((links.length * stepMs) / longestMs));
  const closing: Promise<void>[] = [];
  for (let index = 0; index < links.length; index += perStep) {
    if (index > 0) await pass(stepMs);
    for (const link of links.slice(index, index + perStep)) closing.push(closeBehindCalls(link, reasonFor));
  }
  await Promise.all(closing);
}

async function closeBehindCalls(link: Link, reasonFor: (link: Link) => string): Promise<void> {
  if (link.callCount > 0) {
    await Promise.race([link.whenIdle(), pass(callPatienceMs)]);
    await pass(answerGraceMs);
  }
  link.close(reasonFor(link));
}
