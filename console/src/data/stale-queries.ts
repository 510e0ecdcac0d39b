import { isStaleAfter } from './live-changes.ts';
import type { LiveCursor } from './live-cursor.ts';
import { subscribeToLiveStream } from './live-leader.ts';
import type { LiveListener } from './live-stream.ts';
import type { StaleListener } from './live.ts';

/** Subscribes to the live stream, and says of each change which queries it makes stale; returns a function that unsubscribes. */
export function subscribeToStaleQueries(listener: StaleListener, cursor: LiveCursor): () => void {
  return subscribeToLiveStream(toLiveListener(listener), cursor);
}

/** A listener to changes that says of each which queries it makes stale. */
export function toLiveListener({ onStale, ...others }: StaleListener): LiveListener {
  return { ...others, onChange: (change) => onStale((key) => isStaleAfter(key, change)) };
}
