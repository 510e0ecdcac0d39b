import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLiveCursor, type LiveCursor } from './live-cursor.ts';
import { openLiveStream } from './live-stream.ts';

/** jsdom has no EventSource. Messages keep the newest id, as the standard says. */
class StubSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: StubSource[] = [];
  readyState = 1;
  lastEventId = '';
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    StubSource.opened.push(this);
  }

  close(): void {
    this.readyState = StubSource.CLOSED;
  }

  send(name: string, data: object, id = this.lastEventId): void {
    this.lastEventId = id;
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: id }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
}

const newest = (): StubSource => StubSource.opened.at(-1) as StubSource;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', StubSource);
});
afterEach(() => void (StubSource.opened = []));

/** Opens a stream and records what its listener is told. */
function open(cursor: LiveCursor = createLiveCursor()) {
  const told: unknown[] = [];
  const stop = openLiveStream(
    {
      onOpen: () => told.push('open'),
      onChange: ({ topic }) => told.push(topic),
      onReset: () => told.push('reset'),
      onDown: () => told.push('down'),
    },
    cursor,
  );
  onTestFinished(stop);
  return { told, cursor, stop };
}

test('without a cursor everything is read again; with one that the hub resumes, nothing is', () => {
  const first = open();
  expect(newest().url).toBe('/api/v1/stream');
  newest().send('hello', { beatMs: 2_000, isResumed: false }, 'a1-7');
  expect(first.told).toEqual(['open', 'reset']);
  const cursor = createLiveCursor();
  cursor.noteRead('a1-5');
  const second = open(cursor);
  expect(newest().url).toBe('/api/v1/stream?after=a1-5');
  newest().send('hello', { beatMs: 2_000, isResumed: true }, 'a1-5');
  newest().send('change', { topic: 'devices', projectId: 'p_1' }, 'a1-6');
  newest().send('change', { topic: 'tides' }, 'a1-7');
  newest().send('reset', {}, 'a1-9');
  expect(second.told).toEqual(['open', 'devices', 'reset']);
  expect(cursor.current()).toBe('a1-9');
});

test('a hub that is silent for more than two beats is left, and a new stream resumes after the last message', () => {
  const { told } = open();
  newest().send('hello', { beatMs: 2_000, isResumed: true }, 'a1-7');
  for (let beat = 0; beat < 5; beat += 1) {
    vi.advanceTimersByTime(2_000);
    newest().send('beat', {});
  }
  expect(told).toEqual(['open']);
  vi.advanceTimersByTime(4_300);
  expect(told).toEqual(['open']);
  vi.advanceTimersByTime(200);
  expect(told).toEqual(['open', 'down']);
  expect(StubSource.opened).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(newest().url).toBe('/api/v1/stream?after=a1-7');
  expect(StubSource.opened).toHaveLength(2);
});

test('a lost connection is left to the browser, and a refused one is tried again at growing intervals', () => {
  const { told, stop } = open();
  newest().send('hello', { beatMs: 2_000, isResumed: true }, 'a1-7');
  newest().fail(0);
  expect(told).toEqual(['open', 'down']);
  vi.advanceTimersByTime(2_000);
  expect(StubSource.opened).toHaveLength(1);
  newest().fail(StubSource.CLOSED);
  for (const [tries, waitMs] of [
    [2, 1_000],
    [3, 2_000],
    [4, 4_000],
  ] as const) {
    vi.advanceTimersByTime(waitMs);
    expect(StubSource.opened).toHaveLength(tries);
    newest().fail(StubSource.CLOSED);
  }
  stop();
  vi.advanceTimersByTime(60_000);
  expect(StubSource.opened).toHaveLength(4);
});
