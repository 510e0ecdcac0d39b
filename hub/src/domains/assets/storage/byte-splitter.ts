/** Cuts a stream of bytes into parts. */
export interface ByteSplitter {
  /** The next bytes, at most `maxBytes`; to be read to its end before the next part. */
  take(maxBytes: number): AsyncGenerator<Uint8Array, void>;
  /** Releases the stream before its end. */
  close(): Promise<void>;
}

/** Builds a splitter. */
export function createByteSplitter(bytes: AsyncIterable<Uint8Array>): ByteSplitter {
  const source = bytes[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  return {
    async *take(maxBytes) {
      for (let left = maxBytes; left > 0;) {
        if (rest.length === 0) {
          const { done, value } = await source.next();
          if (done === true) return;
          rest = value;
        }
        const piece = rest.subarray(0, left);
        rest = rest.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    },
    async close() {
      await source.return?.();
    },
  };
}
