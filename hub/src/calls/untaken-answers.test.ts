import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { UntakenAnswers } from './turns.ts';

const mib = 2 ** 20;
const query = 'devices_QueryDevices';
const ann = { caller: 'ann' };
const never = (): void => expect.unreachable();

async function sent(memory: UntakenAnswers, caller: string, sizeMib: number, cut = never) {
  const answer = await memory.begin({ caller }, query);
  answer.sending(sizeMib * mib, cut);
  return answer;
}

test('a caller with twelve large answers that are not taken waits before a further query runs; others, small answers and commands do not', async () => {
  const memory = new UntakenAnswers();
  const untaken = await Promise.all(Array.from({ length: 12 }, () => sent(memory, 'ann', 1)));
  let hasBegun = false;
  const next = memory.begin(ann, query).then(() => (hasBegun = true));
  await sent(memory, 'bob', 6);
  for (let count = 0; count < 10; count += 1) await sent(memory, 'cid', 0.1);
  for (let count = 0; count < 10; count += 1) await memory.begin(ann, 'devices_SetDeviceName');
  await turnOfEventLoop();
  expect(hasBegun).toBe(false);
  untaken[0]?.end();
  untaken[0]?.end();
  await next;
  let isLate = true;
  void memory.begin(ann, query).then(
    () => (isLate = false),
    () => undefined,
  );
  await turnOfEventLoop();
  expect(isLate).toBe(true);
});

test('the devices of a project count as one caller', async () => {
  const memory = new UntakenAnswers();
  for (let count = 0; count < 4; count += 1)
    (await memory.begin({ caller: `d${count}`, group: 'p' }, query)).sending(6 * mib, never);
  let hasBegun = false;
  void memory.begin({ caller: 'd5', group: 'p' }, query).then(
    () => (hasBegun = true),
    () => undefined,
  );
  await memory.begin({ caller: 'd6', group: 'other' }, query);
  await turnOfEventLoop();
  expect(hasBegun).toBe(false);
});

test('who waits for 15 s is refused, and told when to come again', async () => {
  vi.useFakeTimers();
  try {
    const memory = new UntakenAnswers();
    for (let count = 0; count < 12; count += 1) await sent(memory, 'ann', 1);
    const refused = expect(memory.begin(ann, query)).rejects.toMatchObject({
      kind: 'NotReady',
      retryAfterSecs: 5,
    });
    await vi.advanceTimersByTimeAsync(15_000);
    await refused;
  } finally {
    vi.useRealTimers();
  }
});

test('those of one caller have 48 MiB, so that others find room', async () => {
  const memory = new UntakenAnswers();
  for (let count = 0; count < 8; count += 1) await sent(memory, 'ann', 6);
  await expect(sent(memory, 'ann', 1)).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  await sent(memory, 'bob', 6);
});

test('all large answers that are not taken have 60 MiB; a further one is refused, and small ones are not', async () => {
  const memory = new UntakenAnswers();
  const untaken = await Promise.all(Array.from({ length: 10 }, (_, nth) => sent(memory, `user ${nth}`, 6)));
  await expect(sent(memory, 'ann', 6)).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  await sent(memory, 'ann', 0.2);
  untaken[3]?.end();
  await sent(memory, 'ann', 6);
});

test('an answer that takes more than 30 s to be sent is cut when another one waits for its room', async () => {
  let nowMs = 0;
  const memory = new UntakenAnswers(() => nowMs);
  const cut: number[] = [];
  for (let nth = 0; nth < 10; nth += 1) {
    nowMs = nth * 1_000;
    await sent(memory, `user ${nth}`, 6, () => void cut.push(nth));
  }
  nowMs = 31_500;
  expect(cut).toEqual([]);
  await sent(memory, 'ann', 6);
  expect(cut).toEqual([0, 1]);
});
