import { afterAll, beforeAll, expect, test } from 'vitest';
import { heapBytesAfterGc } from '../../test/heap-size.ts';
import { httpHub, type HttpHub } from '../../test/http-hub.ts';

const password = 'quiet harbour lantern 7';
let hub: HttpHub;
let cookie: string;
let userId: string;

beforeAll(async () => {
  hub = await httpHub();
  ({ userId } = await hub.user('ada@example.org', { password }));
  cookie = await hub.signIn('ada@example.org', password);
});
afterAll(() => hub[Symbol.asyncDispose]());

const callsPerRound = 200;
const maxBytesPerCall = 2_048;

async function round(call: (number: number) => Promise<unknown>): Promise<void> {
  for (let number = 0; number < callsPerRound; number += 8)
    await Promise.all(Array.from({ length: 8 }, (_, index) => call(number + index)));
}

/** The bytes that each of some hundred calls leaves in memory. */
async function leftBy(call: (number: number) => Promise<unknown>): Promise<number> {
  for (let count = 0; count < 2; count += 1) await round(call);
  const before = heapBytesAfterGc();
  for (let count = 0; count < 2; count += 1) await round(call);
  return (heapBytesAfterGc() - before) / (2 * callsPerRound);
}

test('calls leave no memory', async () => {
  const ask = () => hub.invoke('users_GetUserDetails', { userId }, { cookie });
  // A call that was kept for a while after its answer took 6 kB.
  expect(await leftBy(ask)).toBeLessThan(maxBytesPerCall);
});
