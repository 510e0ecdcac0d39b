import { Readable } from 'node:stream';
import { watchProgress } from '../watch-progress.ts';
import type { StoreLimits } from './store-limits.ts';

/**
 * Sends a request with a body. When the body fails, its error is thrown and the socket is destroyed, because the library would wait for the
 * rest of the body. A store that takes the bytes too slowly, or does not answer in time once it has them, ends the request, too.
 */
export async function sendBody<Answer>(
  pieces: AsyncIterable<Uint8Array>,
  limits: StoreLimits,
  send: (body: Readable, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const ending = new AbortController();
  const watched = watchStore(pieces, limits, () => ending.abort());
  const body = Readable.from(watched.pieces, { objectMode: false, highWaterMark: 262_144 });
  let failure: unknown;
  body.once('error', (error) => {
    failure = error;
    ending.abort();
  });
  try {
    return await send(body, ending.signal);
  } catch (error) {
    throw failure ?? error;
  } finally {
    watched.stop();
    body.destroy();
  }
}

/** The same pieces; only the time counts in which the store could take them. */
function watchStore(source: AsyncIterable<Uint8Array>, limits: StoreLimits, onSlow: () => void) {
  let [takenBytes, isMissing] = [0, true];
  let answerTimer: NodeJS.Timeout | undefined;
  const stopWatch = watchProgress(
    { movedBytes: () => takenBytes, isHeldUp: () => isMissing, onSlow, nowMs: limits.nowMs },
    { ...limits.progress, checkEveryMs: limits.checkEveryMs },
  );
  async function* pieces() {
    for await (const piece of source) {
      isMissing = false;
      yield piece;
      takenBytes += piece.length;
      isMissing = true;
    }
    answerTimer = setTimeout(onSlow, limits.storingMs).unref();
  }
  return {
    pieces: pieces(),
    stop(): void {
      stopWatch();
      clearTimeout(answerTimer);
    },
  };
}
