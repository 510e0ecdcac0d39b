import type { Channel } from './channel.ts';

/** Joins two channels into one stream each way, with back-pressure and half-close, and a stream that breaks off breaks the other; fulfilled when both ways are over. */
export async function splice(left: Channel, right: Channel): Promise<void> {
  await Promise.all([pump(left, right), pump(right, left)]);
}

async function pump(source: Channel, target: Channel): Promise<void> {
  // The target may stop reading while the source is idle; without this the source would never learn of it.
  void target.stopped.then((reason) => source.stopReading(reason));
  try {
    await source.drain((bytes) => target.writeOwned(bytes));
    if (source.resetReason === undefined) target.end();
    else target.abort(source.resetReason);
  } catch (error) {
    source.stopReading(error instanceof Error ? error.message : '');
  }
}
