import { Readable } from 'node:stream';

/**
 * Sends a request with a body. When the body fails, its error is thrown and the socket is destroyed, because the library would wait for the
 * rest of the body.
 */
export async function sendBody<Answer>(
  pieces: AsyncIterable<Uint8Array>,
  send: (body: Readable, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const failing = new AbortController();
  const body = Readable.from(pieces, { objectMode: false, highWaterMark: 262_144 });
  let failure: unknown;
  body.once('error', (error) => {
    failure = error;
    failing.abort();
  });
  try {
    return await send(body, failing.signal);
  } catch (error) {
    throw failure ?? error;
  } finally {
    body.destroy();
  }
}
