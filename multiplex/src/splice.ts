import type { Channel } from './channel.ts';

/** Copies between two channels in both directions with back-pressure and half-close; an aborted stream aborts the other one. Fulfilled when both directions have ended. */
export async function splice(left: Channel, right: Channel): Promise<void> {
  await Promise.all([pump(left, right), pump(right, left)]);
}

async function pump(source: Channel, target: Channel): Promise<void> {
  // The target may stop reading while the source is idle; without this the source would never notice.
  void target.stopped.then((reason) => source.stopReading(reason));
  try {
    await source.drain((bytes) => target.writeOwned(bytes));
    if (source.resetReason === undefined) target.end();
    else target.abort(source.resetReason);
  } catch (error) {
    source.stopReading(error instanceof Error ? error.message : '');
  }
}
