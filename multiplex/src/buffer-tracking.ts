/** Smaller buffers are left to the garbage collector: freeing them by hand costs more than it saves. */
const minTrackedBytes = 16_384;

/** Number of users of each tracked buffer. */
const userCounts = new WeakMap<ArrayBufferLike, number>();

/** Node.js before 22 cannot free a buffer by hand; there the garbage collector frees all of them. */
const canFree = 'transfer' in ArrayBuffer.prototype;

/**
 * Tracks a buffer that a socket has just filled, with one user, since garbage collection of them halves the throughput of a stream
 * (docs/decisions/0028-the-link-frames-itself.md). A missing `release` leaves the buffer to the garbage collector.
 */
export function trackBuffer({ buffer }: Uint8Array): void {
  if (canFree && buffer.byteLength >= minTrackedBytes) userCounts.set(buffer, 1);
}

/** Adds a user to the buffer that holds these bytes; does nothing where it is not tracked. */
export function retain({ buffer }: Uint8Array): void {
  const count = userCounts.get(buffer);
  if (count !== undefined) userCounts.set(buffer, count + 1);
}

/** Removes a user of the buffer that holds these bytes. The last one frees it, and every view of it is empty from then on. */
export function release({ buffer }: Uint8Array): void {
  const count = userCounts.get(buffer);
  if (count === undefined) return;
  if (count > 1) return void userCounts.set(buffer, count - 1);
  userCounts.delete(buffer);
  (buffer as ArrayBuffer).transfer(0);
}
