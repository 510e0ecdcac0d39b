import { actions } from '@corral/contract';
import { expect, test } from 'vitest';
import { handlers } from './index.ts';
import { unavailableActions } from './unavailable.ts';

/** Lower this number for every action that becomes available; raise it only for actions that are new in the contract. */
const allowed = 0;

test('the list of actions that are not available yet only shrinks', () => {
  expect(unavailableActions.length).toBeLessThanOrEqual(allowed);
});

test('every action is either served or listed as not available yet, never both', () => {
  const listed = new Set<string>(unavailableActions);
  const served = Object.keys(handlers);
  expect(served.filter((name) => listed.has(name))).toEqual([]);
  expect([...served, ...listed].toSorted()).toEqual(Object.keys(actions).toSorted());
});
