import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readJson } from './invoke.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

const chunk = Buffer.from('0,'.repeat(32_768));

/** A request of so many chunks, and how many of them the hub has received. */
function request(chunks: number) {
  const body = new Readable({ read() {} });
  for (let count = 0; count < chunks; count += 1)
    body.push(count === 0 ? Buffer.concat([Buffer.from('['), chunk]) : chunk);
  body.push(null);
  const message = Object.assign(body, { headers: { 'content-type': 'application/json' } });
  return {
    message: message as unknown as IncomingMessage,
    received: () => chunks - Math.ceil(body.readableLength / (chunk.length + 1)),
  };
}

test('the rest of a refused body is received slowly before the refusal is answered', async () => {
  const { message, received } = request(20);
  const reading = readJson(message, { maxBytes: 8 * 1_048_576, isAnonymous: false });
  const refusal = expect(reading).rejects.toThrow('The body has more than 100000 values.');
  while (!message.isPaused()) await nextTurn();
  // Up to the one with the 100,001st value.
  const atRefusal = received();
  expect(atRefusal).toBe(4);
  await vi.advanceTimersByTimeAsync(100);
  const perTenthOfASecond = received() - atRefusal;
  expect(perTenthOfASecond).toBeGreaterThan(4);
  expect(perTenthOfASecond).toBeLessThan(9);
  await vi.advanceTimersByTimeAsync(1_000);
  await refusal;
});
