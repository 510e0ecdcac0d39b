/** Smaller pieces are left to the collector: freeing them by hand costs more than it spares. */
const leastFreedBytes = 16_384;

/** How many still use each piece of memory that was lent. */
const users = new WeakMap<ArrayBufferLike, number>();

/**
 * Counts the first user of memory that a socket has filled and that nobody else keeps. A socket gets new memory for each read; left to
 * the collector, a fast stream would make it look through the whole heap again and again. Who forgets to let go only leaves it to the collector.
 */
export function lend({ buffer }: Uint8Array): void {
  if (buffer.byteLength >= leastFreedBytes) users.set(buffer, 1);
}

/** Counts one more user of the memory behind these bytes, if it was lent. */
export function share({ buffer }: Uint8Array): void {
  const count = users.get(buffer);
  if (count !== undefined) users.set(buffer, count + 1);
}

/** Counts one user less; with the last one the memory is freed, and whoever looks at it then finds it empty. */
export function letGo({ buffer }: Uint8Array): void {
  const count = users.get(buffer);
  if (count === undefined) return;
  if (count > 1) return void users.set(buffer, count - 1);
  users.delete(buffer);
  (buffer as ArrayBuffer).transfer(0);
}
