import type { LiveChange } from '@corral/contract';
import { parseLiveChange } from './live-changes.ts';

/** The events of a live stream. */
export interface LiveListener {
  /** The stream is open; everything read before may be stale. */
  onOpen(): void;
  onChange(change: LiveChange): void;
  /** Changes were missed. */
  onReset(): void;
  onDown(): void;
}

const address = '/api/v1/stream';
const firstWaitMs = 1000;
const maxWaitMs = 30_000;

/**
 * Opens the stream of changes; returns a function that closes it. The browser reconnects by itself after a connection loss. When it
 * gives up (the hub answered with an error), this opens a new stream after 1 s, with exponential backoff up to 30 s and jitter, so
 * that consoles do not reconnect all at once.
 */
export function openLiveStream(listener: LiveListener): () => void {
  let source: EventSource | undefined;
  let timer: number | undefined;
  let waitMs = firstWaitMs;
  function connect(): void {
    const opened = new EventSource(address);
    source = opened;
    opened.addEventListener('hello', () => {
      waitMs = firstWaitMs;
      listener.onOpen();
    });
    opened.addEventListener('change', (event: MessageEvent<string>) => {
      const change = parseLiveChange(event.data);
      if (change !== undefined) listener.onChange(change);
    });
    opened.addEventListener('reset', () => listener.onReset());
    opened.addEventListener('error', () => {
      listener.onDown();
      if (opened.readyState === EventSource.CLOSED) retryLater();
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
    source?.close();
  };
}
