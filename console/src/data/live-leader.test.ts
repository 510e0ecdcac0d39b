import type { LiveChange } from '@corral/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveCursor } from './live-cursor.ts';
import { subscribeToLiveStream } from './live-leader.ts';
import type { LiveListener } from './live-stream.ts';

const streams = vi.hoisted(() => [] as { listener: LiveListener; moveTo: (cursor: string) => void }[]);
vi.mock('./live-stream.ts', () => ({
  openLiveStream: (listener: LiveListener, { moveTo }: { moveTo: (cursor: string) => void }) => {
    const stream = { listener, moveTo };
    streams.push(stream);
    return () => void streams.splice(streams.indexOf(stream), 1);
  },
}));

/** The locks of a browser, which jsdom lacks: one holder, the others wait in order. */
function stubLocks() {
  let last = Promise.resolve();
  return {
    request(_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void> {
      const mine = last.then(() => (signal.aborted ? undefined : hold()));
      last = mine.catch(() => {});
      return mine;
    },
  };
}

const stops: (() => void)[] = [];

beforeEach(() => {
  const locks = stubLocks();
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  Reflect.deleteProperty(navigator, 'locks');
});

/** A tab that made its first read where the changes stood at `read`. */
function tab(read?: string) {
  const told: string[] = [];
  const cursor = createLiveCursor();
  if (read !== undefined) cursor.noteRead(read);
  const stop = subscribeToLiveStream(
    {
      onOpen: () => void told.push('open'),
      onChange: ({ topic }) => void told.push(topic),
      onReset: () => void told.push('reset'),
      onDown: () => void told.push('down'),
    },
    cursor,
  );
  stops.push(stop);
  return { told, cursor, stop };
}

/** What the hub sends to the only stream. */
function hub() {
  expect(streams).toHaveLength(1);
  const [{ listener, moveTo }] = streams as [(typeof streams)[0]];
  return {
    open(cursor: string): void {
      moveTo(cursor);
      listener.onOpen();
    },
    change(topic: LiveChange['topic'], cursor: string): void {
      moveTo(cursor);
      listener.onChange({ topic });
    },
    down: () => listener.onDown(),
  };
}

const streamIsOpen = () => vi.waitFor(() => expect(streams).toHaveLength(1));

test('one tab holds the stream, and every tab gets its messages', async () => {
  const first = tab('a1-4');
  const second = tab('a1-4');
  await streamIsOpen();
  hub().open('a1-4');
  hub().change('devices', 'a1-5');
  hub().down();
  await vi.waitFor(() => expect(second.told).toEqual(['open', 'devices', 'down']));
  expect(first.told).toEqual(['open', 'devices', 'down']);
  expect(streams).toHaveLength(1);
});

test('a new tab learns the state, and nobody reads anything again', async () => {
  const first = tab('a1-4');
  await streamIsOpen();
  hub().open('a1-4');
  hub().change('devices', 'a1-5');
  const later = tab('a1-6');
  await vi.waitFor(() => expect(later.told).toEqual(['open']));
  hub().change('tokens', 'a1-7');
  await vi.waitFor(() => expect(later.told).toEqual(['open', 'tokens']));
  expect(first.told).toEqual(['open', 'devices', 'tokens']);
});

test.each([
  ['before a message that it did not get', 'a1-4'],
  ['from another process of the hub', 'b2-9'],
  ['where nothing says where the changes stood', undefined],
])('a new tab reads again what it has read %s', async (_when, read) => {
  tab('a1-4');
  await streamIsOpen();
  hub().open('a1-4');
  hub().change('devices', 'a1-5');
  const later = tab(read);
  await vi.waitFor(() => expect(later.told).toEqual(['open', 'reset']));
});

test('when the tab with the stream closes, another one opens it where the first one was', async () => {
  const first = tab('a1-4');
  await streamIsOpen();
  hub().open('a1-4');
  const second = tab('a1-4');
  await vi.waitFor(() => expect(second.told).toEqual(['open']));
  hub().change('devices', 'a1-8');
  await vi.waitFor(() => expect(second.cursor.current()).toBe('a1-8'));
  const before = streams[0];
  first.stop();
  await vi.waitFor(() => expect(streams[0]).not.toBe(before));
  await streamIsOpen();
  hub().open('a1-8');
  hub().change('tokens', 'a1-9');
  expect(second.told).toEqual(['open', 'devices', 'open', 'tokens']);
  expect(first.told).toEqual(['open', 'devices']);
});
