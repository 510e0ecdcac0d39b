/**
 * The same pieces, until the signal aborts: then it throws the signal's reason at once, also while it waits for a piece. The source is
 * released when the reader stops.
 */
export async function* untilAborted(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  signal.throwIfAborted();
  const source = pieces[Symbol.asyncIterator]();
  let interrupt: (reason: unknown) => void = () => undefined;
  const onAbort = () => interrupt(signal.reason);
  // One listener for all pieces: a race with one promise for each of them would keep a reaction for each.
  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const { done, value } = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        interrupt = reject;
        source.next().then(resolve, reject);
      });
      signal.throwIfAborted();
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}
