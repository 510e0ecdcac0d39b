import type { LiveChange } from '@corral/contract';
import { parseLiveChange } from './live-changes.ts';

/** What a stream tells. */
export interface LiveListener {
  /** The stream stands; whatever was read before may be old. */
  onOpen(): void;
  onChange(change: LiveChange): void;
  /** Changes were missed. */
  onReset(): void;
  onDown(): void;
}

const address = '/api/v1/stream';
const firstWaitMs = 1000;
const longestWaitMs = 30_000;

/**
 * Holds one stream of changes open until it is closed. The browser reconnects by itself after a cut; when it gives up (the
 * hub answered with an error), a new stream is tried after one second, then twice as long each time up to 30 s, spread at
 * random so that consoles do not come back all at once.
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
    waitMs = Math.min(longestWaitMs, waitMs * 2);
  }
  connect();
  return () => {
    window.clearTimeout(timer);
    source?.close();
  };
}
