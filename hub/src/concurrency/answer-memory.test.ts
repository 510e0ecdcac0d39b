import { ActionError } from '@corral/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerMemory, reserveAnswer, type AnswerReservation } from './answer-memory.ts';

const mebibyte = 1_048_576;
let nowMs = 0;
let memory: AnswerMemory;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  memory = new AnswerMemory(() => nowMs);
});
afterEach(() => void vi.useRealTimers());

interface Answer {
  readonly reservation: AnswerReservation;
  state: 'waits' | 'has memory' | ActionError;
}

/** Makes a large answer for a caller. */
async function make(caller: string): Promise<Answer> {
  const reservation = memory.open(caller);
  const answer: Answer = { reservation, state: 'waits' };
  void reservation.run(reserveAnswer).then(
    () => (answer.state = 'has memory'),
    (error: ActionError) => (answer.state = error),
  );
  await settled();
  return answer;
}
const settled = () => vi.advanceTimersByTimeAsync(0);
const inOrder = async (...callers: string[]) => {
  const answers: Answer[] = [];
  for (const caller of callers) answers.push(await make(caller));
  return answers;
};
const states = (answers: readonly Answer[]) => answers.map(({ state }) => state);

test('a caller has two large answers at a time, and five are made in all', async () => {
  const answers = await inOrder('a', 'a', 'a', 'b', 'c', 'd', 'e');
  expect(states(answers)).toEqual([
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
  const answers = await inOrder('a', 'a', 'b', 'c', 'd', 'b', 'e', 'f');
  answers[4]?.reservation.free();
  await settled();
  expect(states(answers.slice(5))).toEqual(['waits', 'has memory', 'waits']);
  answers[3]?.reservation.free();
  await settled();
  expect(states(answers.slice(5))).toEqual(['waits', 'has memory', 'has memory']);
});

test('an answer that is sent takes its size alone', async () => {
  const answers = await inOrder('a', 'b', 'c', 'd', 'e', 'f');
  for (const { reservation } of answers.slice(0, 3)) reservation.sending(4 * mebibyte, () => {});
  await settled();
  expect(answers[5]?.state).toBe('has memory');
});

test('work that reserves twice has memory once, and work for nobody waits for nothing', async () => {
  const reservation = memory.open('a');
  await reservation.run(async () => {
    await reserveAnswer();
    await reserveAnswer();
  });
  reservation.free();
  reservation.free();
  expect(states(await inOrder('a', 'a', 'a'))).toEqual(['has memory', 'has memory', 'waits']);
  await expect(reserveAnswer()).resolves.toBeUndefined();
});

test('who waits for 15 s is told to come again, and leaves the queue', async () => {
  const answers = await inOrder('a', 'a', 'a');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(answers[2]?.state).toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  answers[0]?.reservation.free();
  const [next] = await inOrder('a');
  expect(next?.state).toBe('has memory');
});

test('16 answers of a caller may wait, and 64 in all', async () => {
  const ofOne = await inOrder(...Array.from({ length: 19 }, () => 'a'));
  expect(states(ofOne).map((state) => state instanceof ActionError)).toEqual([
    ...Array.from({ length: 18 }, () => false),
    true,
  ]);
  const others = await inOrder(...Array.from({ length: 52 }, (_, index) => `other ${index}`));
  expect(states(others).filter((state) => state === 'has memory')).toHaveLength(3);
  expect(states(others).filter((state) => state instanceof ActionError)).toHaveLength(1);
});

test('an answer that is sent for 30 s is cut when another waits', async () => {
  const cuts: string[] = [];
  const [slow, quick] = await inOrder('a', 'a');
  const sendAs = (answer: Answer | undefined, name: string) =>
    answer?.reservation.sending(mebibyte, () => (cuts.push(name), answer.reservation.free()));
  sendAs(slow, 'slow');
  nowMs = 29_999;
  sendAs(quick, 'quick');
  nowMs = 30_000;
  expect(cuts).toEqual([]);
  const [next] = await inOrder('a');
  expect([cuts, next?.state]).toEqual([['slow'], 'has memory']);
});

test('whose caller has left waits no longer, and gets no memory afterwards', async () => {
  const answers = await inOrder('a', 'a', 'a', 'a');
  const [first, , left, next] = answers;
  left?.reservation.free();
  await settled();
  expect(left?.state).toBeInstanceOf(ActionError);
  first?.reservation.free();
  await settled();
  expect(next?.state).toBe('has memory');
  const late = memory.open('b');
  late.free();
  await expect(late.run(reserveAnswer)).rejects.toThrow(ActionError);
});
