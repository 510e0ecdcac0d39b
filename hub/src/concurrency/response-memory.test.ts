import { ActionError } from '@corral/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ResponseMemory, reserveResponse, type ResponseReservation } from './response-memory.ts';

const mebibyte = 1_048_576;
let nowMs = 0;
let memory: ResponseMemory;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  memory = new ResponseMemory(() => nowMs);
});
afterEach(() => void vi.useRealTimers());

interface LargeResponse {
  readonly reservation: ResponseReservation;
  state: 'waits' | 'has memory' | ActionError;
}

/** Makes a large response for a caller. */
async function make(caller: string): Promise<LargeResponse> {
  const reservation = memory.open(caller);
  const response: LargeResponse = { reservation, state: 'waits' };
  void reservation.run(reserveResponse).then(
    () => (response.state = 'has memory'),
    (error: ActionError) => (response.state = error),
  );
  await settled();
  return response;
}
const settled = () => vi.advanceTimersByTimeAsync(0);
const inOrder = async (...callers: string[]) => {
  const responses: LargeResponse[] = [];
  for (const caller of callers) responses.push(await make(caller));
  return responses;
};
const states = (responses: readonly LargeResponse[]) => responses.map(({ state }) => state);

test('a caller has two large responses at a time, and five are made in all', async () => {
  const responses = await inOrder('a', 'a', 'a', 'b', 'c', 'd', 'e');
  expect(states(responses)).toEqual([
    'has memory',
    'has memory',
    'waits',
    'has memory',
    'has memory',
    'has memory',
    'waits',
  ]);
});

test('whose caller has the least is next, and then who came first', async () => {
  const responses = await inOrder('a', 'a', 'b', 'c', 'd', 'b', 'e', 'f');
  responses[4]?.reservation.free();
  await settled();
  expect(states(responses.slice(5))).toEqual(['waits', 'has memory', 'waits']);
  responses[3]?.reservation.free();
  await settled();
  expect(states(responses.slice(5))).toEqual(['waits', 'has memory', 'has memory']);
});

test('a response that is sent takes its size alone', async () => {
  const responses = await inOrder('a', 'b', 'c', 'd', 'e', 'f');
  for (const { reservation } of responses.slice(0, 3)) reservation.sending(4 * mebibyte, () => {});
  await settled();
  expect(responses[5]?.state).toBe('has memory');
});

test('work that reserves twice has memory once, and work for nobody waits for nothing', async () => {
  const reservation = memory.open('a');
  await reservation.run(async () => {
    await reserveResponse();
    await reserveResponse();
  });
  reservation.free();
  reservation.free();
  expect(states(await inOrder('a', 'a', 'a'))).toEqual(['has memory', 'has memory', 'waits']);
  await expect(reserveResponse()).resolves.toBeUndefined();
});

test('who waits for 15 s is told to come again, and leaves the queue', async () => {
  const responses = await inOrder('a', 'a', 'a');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(responses[2]?.state).toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  responses[0]?.reservation.free();
  const [next] = await inOrder('a');
  expect(next?.state).toBe('has memory');
});

test('16 responses of a caller may wait, and 64 in all', async () => {
  const ofOne = await inOrder(...Array.from({ length: 19 }, () => 'a'));
  expect(states(ofOne).map((state) => state instanceof ActionError)).toEqual([
    ...Array.from({ length: 18 }, () => false),
    true,
  ]);
  const others = await inOrder(...Array.from({ length: 52 }, (_, index) => `other ${index}`));
  expect(states(others).filter((state) => state === 'has memory')).toHaveLength(3);
  expect(states(others).filter((state) => state instanceof ActionError)).toHaveLength(1);
});

test('a response that is sent for 30 s is cut when another waits', async () => {
  const cuts: string[] = [];
  const [slow, quick] = await inOrder('a', 'a');
  const sendAs = (response: LargeResponse | undefined, name: string) =>
    response?.reservation.sending(mebibyte, () => (cuts.push(name), response.reservation.free()));
  sendAs(slow, 'slow');
  nowMs = 29_999;
  sendAs(quick, 'quick');
  nowMs = 30_000;
  expect(cuts).toEqual([]);
  const [next] = await inOrder('a');
  expect([cuts, next?.state]).toEqual([['slow'], 'has memory']);
});

test('whose caller has left waits no longer, and gets no memory afterwards', async () => {
  const responses = await inOrder('a', 'a', 'a', 'a');
  const [first, , left, next] = responses;
  left?.reservation.free();
  await settled();
  expect(left?.state).toBeInstanceOf(ActionError);
  first?.reservation.free();
  await settled();
  expect(next?.state).toBe('has memory');
  const late = memory.open('b');
  late.free();
  await expect(late.run(reserveResponse)).rejects.toThrow(ActionError);
});
