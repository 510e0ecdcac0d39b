import { TransferFailure } from './TransferFailure.ts';
import type { MinimumProgress } from './limits.ts';

/** A watched transfer. */
interface Watched {
  /** How many bytes have moved so far. */
  readonly movedBytes: () => number;
  /** Whether the hub itself holds the transfer up, since it cannot take more yet. This time does not count. */
  readonly isHeldUp?: () => boolean;
  /** Called once, with the reason, when the client is too slow. */
  readonly onSlow: (failure: TransferFailure) => void;
  readonly nowMs: () => number;
}

/** Ends a transfer whose client stalls or is too slow. It compares the bytes at intervals, so it costs nothing per byte. Returns the function that stops the watch. */
export function watchProgress(
  { movedBytes, isHeldUp, onSlow, nowMs }: Watched,
  minimum: MinimumProgress & { readonly checkEveryMs: number },
): () => void {
  const start = { bytes: movedBytes(), atMs: nowMs() };
  let [last, windowStart] = [start, start];
  const timer = setInterval(() => {
    const now = { bytes: movedBytes(), atMs: nowMs() };
    if (isHeldUp?.() === true) return void ([last, windowStart] = [now, now]);
    if (now.bytes > last.bytes) last = now;
    const isStalled = now.atMs - last.atMs >= minimum.stallMs;
    const isWindowOver = now.atMs - windowStart.atMs >= minimum.windowMs;
    const isSlow = isWindowOver && now.bytes - windowStart.bytes < minimum.minWindowBytes;
    if (isWindowOver) windowStart = now;
    if (!isStalled && !isSlow) return;
    clearInterval(timer);
    onSlow(
      new TransferFailure(
        408,
        'The transfer has stalled or is far too slow; try again on a better connection.',
      ),
    );
  }, minimum.checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
