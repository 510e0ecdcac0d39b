import { createSemaphore } from '../concurrency/semaphore.ts';

/** How many calls of one connection are read, run and answered at a time: each holds an input or an output in memory. */
const callsAtOnce = 8;

/** The calls on one channel, which come one after the other. */
export interface ChannelCalls {
  /** Begins a call; fulfilled when it may be read, undefined if it may be read now. */
  begin(): Promise<void> | undefined;
  /** Ends the call that has begun, if there is one. */
  end(): void;
}

/** Limits concurrent calls of one connection; the others wait in order. A call that waits is not read, so it costs only its channel. */
export class CallLimiter {
  readonly #semaphore = createSemaphore({ concurrency: callsAtOnce });

  /** The calls of a new channel. */
  ofChannel(): ChannelCalls {
    let hasBegun = false;
    return {
      begin: () => {
        hasBegun = true;
        return this.#semaphore.acquire();
      },
      end: () => {
        if (hasBegun) this.#semaphore.release();
        hasBegun = false;
      },
    };
  }
}
