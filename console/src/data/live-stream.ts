import type { LiveChange } from '@corral/contract';
import { parseLiveChange } from './live-changes.ts';
import type { LiveCursor } from './live-cursor.ts';

/** The events of a live stream. */
export interface LiveListener {
  /** The stream is open. Called again after `onDown`. */
  onOpen(): void;
  onChange(change: LiveChange): void;
  /** Changes were missed, so everything that was read before may be stale. */
  onReset(): void;
  onDown(): void;
}

const address = '/api/v1/stream';
const firstWaitMs = 1000;
const maxWaitMs = 30_000;
/** Applies until the hub has sent the interval of its beats: the longest time to the first event. */
const firstSilenceMs = 5000;
/** Two beats may be missed; 10 % more allow for delays in the network. */
const maxSilenceInBeats = 2.2;

/**
 * Opens the stream of changes after the cursor, which it moves on; returns a function that closes it. Where the browser gives up, or the
 * hub is silent for two beats, it opens a new stream with backoff and jitter, so that consoles do not reconnect all at once.
 */
export function openLiveStream(listener: LiveListener, cursor: LiveCursor): () => void {
  let source: EventSource | undefined;
  let timer: number | undefined;
  let waitMs = firstWaitMs;
  const watchdog = createWatchdog(() => {
    source?.close();
    listener.onDown();
    retryLater();
  });
  function connect(): void {
    const opened = new EventSource(addressAfter(cursor));
    source = opened;
    watchdog.start(firstSilenceMs);
    const on = listenTo(opened, watchdog.noteMessage, cursor);
    on('hello', (data) => {
      const { silenceMs, isResumed } = parseHello(data);
      waitMs = firstWaitMs;
      watchdog.start(silenceMs);
      listener.onOpen();
      if (!isResumed) listener.onReset();
    });
    on('beat', () => {});
    on('change', (data) => {
      const change = parseLiveChange(data);
      if (change !== undefined) listener.onChange(change);
    });
    on('reset', () => listener.onReset());
    opened.addEventListener('error', () => {
      listener.onDown();
      if (opened.readyState !== EventSource.CLOSED) return;
      watchdog.stop();
      retryLater();
    });
  }
  function retryLater(): void {
    window.clearTimeout(timer);
    timer = window.setTimeout(connect, waitMs * (0.5 + Math.random() / 2));
    waitMs = Math.min(maxWaitMs, waitMs * 2);
  }
  connect();
  return () => {
    window.clearTimeout(timer);
    watchdog.stop();
    source?.close();
  };
}

/** Adds a listener for messages of one name; each message moves the cursor on. */
function listenTo(source: EventSource, noteMessage: () => void, cursor: LiveCursor) {
  return (name: string, handle: (data: string) => void): void =>
    source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      noteMessage();
      if (lastEventId !== '') cursor.moveTo(lastEventId);
      handle(data);
    });
}

function addressAfter(cursor: LiveCursor): string {
  const after = cursor.current();
  return after === undefined ? address : `${address}?after=${encodeURIComponent(after)}`;
}

/** How long the hub may be silent (without a limit for an older hub), and whether it sends all changes since the cursor. */
function parseHello(hello: string): { silenceMs: number; isResumed: boolean } {
  const { beatMs, isResumed } = JSON.parse(hello) as { beatMs?: unknown; isResumed?: unknown };
  const silenceMs = typeof beatMs === 'number' ? beatMs * maxSilenceInBeats : Infinity;
  return { silenceMs, isResumed: isResumed === true };
}

/** Calls `onSilence` when no message came for too long. It compares times, since browsers delay the timers of hidden tabs. */
function createWatchdog(onSilence: () => void) {
  let timer: number | undefined;
  let lastMessageAtMs = 0;
  let silenceMs = Infinity;
  function check(): void {
    const leftMs = lastMessageAtMs + silenceMs - performance.now();
    if (leftMs <= 0) onSilence();
    else timer = window.setTimeout(check, leftMs);
  }
  return {
    start(nextSilenceMs: number): void {
      window.clearTimeout(timer);
      silenceMs = nextSilenceMs;
      lastMessageAtMs = performance.now();
      if (silenceMs !== Infinity) check();
    },
    noteMessage: () => void (lastMessageAtMs = performance.now()),
    stop: () => window.clearTimeout(timer),
  };
}
