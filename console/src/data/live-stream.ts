import type { LiveChange } from '@corral/contract';
import { parseLiveChange } from './live-changes.ts';

/** The events of a live stream. */
export interface LiveListener {
  /** The stream is open; everything read before may be stale. Called again after `onDown`. */
  onOpen(): void;
  onChange(change: LiveChange): void;
  /** Changes were missed. */
  onReset(): void;
  onDown(): void;
}

const address = '/api/v1/stream';
const firstWaitMs = 1000;
const maxWaitMs = 30_000;
/** Until the hub has told the interval of its beats; also the longest time to the first event. */
const firstSilenceMs = 5000;
/** Two beats may be missed, with a little for the way. */
const beatsOfSilence = 2.2;

/**
 * Opens the stream of changes; returns a function that closes it. The browser reconnects by itself after a connection loss. When it
 * gives up (the hub answered with an error), or when the hub has been silent for two beats, this opens a new stream after 1 s, with
 * exponential backoff up to 30 s and jitter, so that consoles do not reconnect all at once.
 */
export function openLiveStream(listener: LiveListener): () => void {
  let source: EventSource | undefined;
  let timer: number | undefined;
  let waitMs = firstWaitMs;
  const watchdog = createWatchdog(() => {
    source?.close();
    listener.onDown();
    retryLater();
  });
  function connect(): void {
    const opened = new EventSource(address);
    source = opened;
    watchdog.start(firstSilenceMs);
    opened.addEventListener('hello', (event: MessageEvent<string>) => {
      waitMs = firstWaitMs;
      watchdog.start(silenceOf(event.data));
      listener.onOpen();
    });
    opened.addEventListener('beat', watchdog.heard);
    opened.addEventListener('change', (event: MessageEvent<string>) => {
      watchdog.heard();
      const change = parseLiveChange(event.data);
      if (change !== undefined) listener.onChange(change);
    });
    opened.addEventListener('reset', () => listener.onReset());
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

/** The longest silence that a hub with these beats may keep; a hub of an older version names none and is never silent for too long. */
function silenceOf(hello: string): number {
  const { beatMs } = JSON.parse(hello) as { beatMs?: unknown };
  return typeof beatMs === 'number' ? beatMs * beatsOfSilence : Infinity;
}

/** Calls `onSilence` when nothing was heard for too long. The time of the last sound counts, since browsers delay the timers of hidden tabs. */
function createWatchdog(onSilence: () => void) {
  let timer: number | undefined;
  let heardAtMs = 0;
  let silenceMs = Infinity;
  function check(): void {
    const leftMs = heardAtMs + silenceMs - performance.now();
    if (leftMs <= 0) onSilence();
    else timer = window.setTimeout(check, leftMs);
  }
  return {
    start(nextSilenceMs: number): void {
      window.clearTimeout(timer);
      silenceMs = nextSilenceMs;
      heardAtMs = performance.now();
      if (silenceMs !== Infinity) check();
    },
    heard: () => void (heardAtMs = performance.now()),
    stop: () => window.clearTimeout(timer),
  };
}
