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
async function make(caller: string, group?: string): Promise<LargeResponse> {
  const reservation = memory.open({ caller, group });
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
  const reservation = memory.open({ caller: 'a' });
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

/** Makes a large response for each of the devices of a project. */
async function makeOfDevices(group: string, count: number): Promise<LargeResponse[]> {
  const responses: LargeResponse[] = [];
  for (let nth = 0; nth < count; nth += 1) responses.push(await make(`device ${nth} of ${group}`, group));
  return responses;
}
const havingMemory = (responses: readonly LargeResponse[]) =>
  responses.filter(({ state }) => state === 'has memory').length;
const refused = (responses: readonly LargeResponse[]) =>
  responses.filter(({ state }) => state instanceof ActionError).length;

test('the devices of a project have the memory of two, and all devices that of three', async () => {
  const [slow, others] = [await makeOfDevices('p1', 3), await makeOfDevices('p2', 3)];
  expect([havingMemory(slow), havingMemory(others)]).toEqual([2, 1]);
  expect(havingMemory(await inOrder('a', 'b'))).toBe(2);
  // What is being sent is counted by its size.
  for (const { reservation } of slow.slice(0, 2)) reservation.sending(mebibyte, () => {});
  await settled();
  expect([havingMemory(slow), havingMemory(others)]).toEqual([2, 2]);
});

test('16 responses of a project may wait, and 32 of all devices; people find a place', async () => {
  const one = await makeOfDevices('p1', 20);
  expect([havingMemory(one), refused(one)]).toEqual([2, 2]);
  const others: LargeResponse[] = [];
  for (let project = 2; project <= 20; project += 1) others.push(...(await makeOfDevices(`p${project}`, 1)));
  // Each of these projects finds a place: those of the first one make room for them.
  expect([refused(one), refused(others)]).toEqual([4, 0]);
  const people = await inOrder(...Array.from({ length: 34 }, (_, index) => `person ${index}`));
  expect([havingMemory(people), refused(people)]).toEqual([2, 0]);
  expect([refused(one), refused(others)]).toEqual([4, 0]);
});

test('callers who fill the queue make room for others', async () => {
  const greedy = await inOrder(
    ...['a', 'b', 'c', 'd', 'e'].flatMap((caller) => Array.from({ length: 18 }, () => caller)),
  );
  const before = refused(greedy);
  const other = await make('f');
  expect(other.state).toBe('waits');
  expect(refused(greedy)).toBe(before + 1);
});

test('16 responses of a caller may wait, and 64 in all', async () => {
  const ofOne = await inOrder(...Array.from({ length: 19 }, () => 'a'));
  expect(states(ofOne).map((state) => state instanceof ActionError)).toEqual([
    ...Array.from({ length: 18 }, () => false),
    true,
  ]);
  const others = await inOrder(...Array.from({ length: 52 }, (_, index) => `other ${index}`));
  expect([havingMemory(others), refused(others)]).toEqual([3, 0]);
  // The last one has taken the place of another of the first caller.
  expect(refused(ofOne)).toBe(2);
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
  const late = memory.open({ caller: 'b' });
  late.free();
  await expect(late.run(reserveResponse)).rejects.toThrow(ActionError);
});
