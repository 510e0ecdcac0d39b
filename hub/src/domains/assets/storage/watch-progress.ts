/** The progress below which a transfer is ended; times in milliseconds. */
export interface MinimumProgress {
  /** How long the peer may send or accept nothing. */
  readonly stallMs: number;
  /** In each window of this length, at least `minWindowBytes` must be transferred. */
  readonly windowMs: number;
  readonly minWindowBytes: number;
}

/** A watched transfer. */
interface Watched {
  /** How many bytes have moved so far. */
  readonly movedBytes: () => number;
  /** Whether something else than the peer holds the transfer up. This time does not count. */
  readonly isHeldUp?: () => boolean;
  /** Called once when the peer is too slow. */
  readonly onSlow: () => void;
  readonly nowMs: () => number;
}

/** Ends a transfer whose peer, a client or a store, stalls or is too slow. It compares the bytes at intervals, so it costs nothing per byte. Returns the function that stops the watch. */
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
    onSlow();
  }, minimum.checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
