import type { Actor } from '@corral/contract';
import { expect, test } from 'vitest';
import { drainConnections } from './drain-connections.ts';
import { Link } from './link.ts';

const actor: Actor = { actor: 'System', kind: 'System' };
const linksOf = (count: number) => Array.from({ length: count }, () => new Link(actor, {}, false, undefined));
const times = { turnsMs: 300, callMs: 60_000, lastCallsMs: 100 };

test('many connections whose calls do not end are all closed in time', async () => {
  const links = linksOf(3_000);
  for (const link of links) link.beginCall();
  const beganAtMs = performance.now();
  await drainConnections(links, () => 'the hub is stopping', times);
  expect(links.every(({ closeReason }) => closeReason === 'the hub is stopping')).toBe(true);
  expect(performance.now() - beganAtMs).toBeLessThan(10_000);
});

test('where a step has taken all the time, the next one closes all that is left', async () => {
  let steps = 0;
  let isNewStep = true;
  const countSteps = () => {
    if (isNewStep) {
      steps += 1;
      isNewStep = false;
      setImmediate(() => (isNewStep = true));
      if (steps === 1) for (const untilMs = performance.now() + times.turnsMs; performance.now() < untilMs;);
    }
    return 'the hub is stopping';
  };
  const links = linksOf(3_000);
  await drainConnections(links, countSteps, times);
  expect(links.every(({ closeReason }) => closeReason !== undefined)).toBe(true);
  expect(steps).toBe(2);
});
