import type { ChannelCore } from './channel-core.ts';
import type { Channel } from './channel.ts';

/** A channel request that the peer has not answered. */
export interface PendingChannel {
  readonly endpoint: string;
  readonly resolve: (channel: Channel) => void;
  readonly reject: (error: Error) => void;
}

/** Options for waiting for the answer. */
export interface PendingOptions {
  readonly endpoint: string;
  readonly signal: AbortSignal | undefined;
  /** Called when the signal aborts before the answer. */
  readonly cancel: () => void;
}

/** The channel requests of one connection that wait for an answer of the peer. */
export class PendingChannels {
  // Created with the first request: most of thousands of idle connections request none.
  #pending: Map<ChannelCore, PendingChannel> | undefined;

  /** Waits for the answer to a request. Rejected with the signal's reason, or as the connection decides. */
  wait(core: ChannelCore, { endpoint, signal, cancel }: PendingOptions): Promise<Channel> {
    const { promise, resolve, reject } = Promise.withResolvers<Channel>();
    this.#pending ??= new Map();
    this.#pending.set(core, { endpoint, resolve, reject });
    if (signal === undefined) return promise;
    const onAbort = (): void => {
      if (this.take(core) === undefined) return;
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Removes and returns a request; undefined when it was cancelled or answered before. */
  take(core: ChannelCore): PendingChannel | undefined {
    const pending = this.#pending?.get(core);
    this.#pending?.delete(core);
    return pending;
  }

  /** Rejects all requests. */
  rejectAll(error: Error): void {
    for (const { reject } of this.#pending?.values() ?? []) reject(error);
    this.#pending = undefined;
  }
}
