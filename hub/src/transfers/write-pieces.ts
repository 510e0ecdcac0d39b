import type { ServerResponse } from 'node:http';

/**
 * Writes pieces as the body of an answer, as fast as the client takes them: while one is on its way, the next is read. A piece may change once
 * the second next is asked for. Resolves when the system has all bytes; rejects when reading fails, the client is gone, or the signal aborts.
 */
export async function writePieces(
  response: ServerResponse,
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array, void>,
  signal: AbortSignal,
): Promise<void> {
  const unlessGone = watchClient(response, signal);
  try {
    for (let piece: Uint8Array | void = first; piece instanceof Uint8Array;) {
      const next = rest.next();
      // Its failure is thrown when this piece has gone.
      next.catch(() => undefined);
      await unlessGone.while(written(response, piece));
      piece = (await unlessGone.while(next)).value;
    }
    await unlessGone.while(new Promise<void>((resolve) => response.end(resolve)));
  } finally {
    unlessGone.stop();
    void Promise.resolve(rest.return?.()).catch(() => undefined);
  }
}

function written(response: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends the wait for work when the client leaves or the signal aborts. One listener each serves all pieces. */
function watchClient(response: ServerResponse, signal: AbortSignal) {
  let failure: { readonly error: unknown } | undefined;
  let interrupt: (error: unknown) => void = () => undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    interrupt(error);
  };
  // A connection for one request closes in the same moment in which the system has all bytes.
  const onClose = (): void => {
    if (!response.writableFinished) fail(new Error('The client has left.'));
  };
  const onAbort = (): void => fail(signal.reason);
  response.on('close', onClose);
  signal.addEventListener('abort', onAbort);
  if (response.destroyed) onClose();
  if (signal.aborted) onAbort();
  return {
    while: <Result>(work: Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        interrupt = reject;
        if (failure !== undefined) reject(failure.error);
        work.then(resolve, reject);
      }),
    stop(): void {
      response.off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
