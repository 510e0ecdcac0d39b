import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressView } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function view(columns: number | undefined, isTTY = true) {
  const written: string[] = [];
  const stderr = { isTTY, columns, write: (text: string) => written.push(text) };
  return { written, view: progressView(stderr, { TERM: 'xterm', NO_COLOR: '1' }) };
}

test('on a terminal each file has a bar, and nothing stays at the end', () => {
  const { written, view: shown } = view(100);
  const file = shown.start('press\u001B[2J.img');
  vi.advanceTimersByTime(200);
  expect(written.at(-1)).toBe('press�[2J.img\n');
  file.onProgress({ doneBytes: 0, totalBytes: 4_194_304 });
  file.onProgress({ doneBytes: 3_145_728, totalBytes: 4_194_304 });
  vi.advanceTimersByTime(800);
  expect(written.at(-1)).toContain('press�[2J.img  ██████████████████░░░░░░  75 % of 4.0 MiB');
  file.onRetry('It broke the connection.', 1_234);
  expect(written.at(-1)).toContain('press�[2J.img: It broke the connection. Trying again in 1.2 s.\n');
  shown.end();
  expect(written.at(-1)).toBe('\u001B[1A\u001B[J');
});

test.each([
  [0, 79],
  [undefined, 79],
  [20, 19],
])('a line fits into a terminal of %s columns', (columns, most) => {
  const { written, view: shown } = view(columns);
  shown.start('x'.repeat(90)).onProgress({ doneBytes: 1, totalBytes: 1_000_000_000 });
  vi.advanceTimersByTime(200);
  expect(written.at(-1)?.trimEnd().length).toBeLessThanOrEqual(most);
  expect(written.at(-1)?.trimEnd().length).toBeGreaterThan(most / 2);
  shown.end();
});

test('a wide name takes two columns a character', () => {
  const { written, view: shown } = view(20);
  shown.start('日'.repeat(20));
  vi.advanceTimersByTime(200);
  expect(written.at(-1)).toBe(`${'日'.repeat(9)}…\n`);
  shown.end();
});

test('elsewhere only broken connections are written', () => {
  const { written, view: shown } = view(undefined, false);
  const file = shown.start('press.img');
  file.onProgress({ doneBytes: 1, totalBytes: 2 });
  vi.advanceTimersByTime(1_000);
  file.onRetry('It broke the connection.', 10);
  file.onEnd();
  shown.end();
  expect(written).toEqual(['press.img: It broke the connection. Trying again in 0.1 s.\n']);
});
