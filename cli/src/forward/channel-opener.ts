import { setTimeout as delay } from 'node:timers/promises';
import { channelReasons } from '@corral/contract';
import { ChannelRejection, ConnectionClosure, type Channel } from '@corral/multiplex';
import type { ReconnectingLink } from './reconnecting-link.ts';
import { ReconnectGrace } from './reconnect-grace.ts';

const openTimeoutMs = 30_000;
const isFull = (error: unknown): boolean =>
  error instanceof ChannelRejection && error.message === channelReasons.limitReached;
/** Between attempts to resume: hubs allow a command line some hundred refused requests a second, and many connections may wait. */
const [firstWaitMs, longestWaitMs] = [250, 1_000];
/** Reasons that do not last: hubs are restarted or updated, and devices come back. Any other reason ends the stream. */
const temporaryReasons: ReadonlySet<string> = new Set([
  channelReasons.deviceNotConnected,
  channelReasons.deviceSilent,
  channelReasons.hubNotReady,
  channelReasons.hubOfAnotherRelease,
  channelReasons.hubUnreachable,
  channelReasons.notResumable,
  channelReasons.limitReached,
  channelReasons.unknownEndpoint,
]);

/** Opens channels over the link, which has a limited number of them. */
export class ChannelOpener {
  readonly #link: ReconnectingLink;
  readonly #grace = new ReconnectGrace();
  readonly #waitingForChannel: (() => void)[] = [];
  /** Open channels and attempts to open one. */
  #channelCount = 0;

  constructor(link: ReconnectingLink) {
    this.#link = link;
  }

  /** Opens a channel; retries until the deadline while the link is lost or has no free channel, and for a moment while the device is away. */
  async open(endpoint: string, deadline: AbortSignal): Promise<Channel> {
    for (let refused = 0; ;) {
      try {
        const channel = await this.#openOnce(endpoint, deadline);
        this.#grace.reached();
        return channel;
      } catch (error) {
        await this.#grace.wait(error, refused++);
      }
    }
  }

  /** Opens a channel for a stream that has lost its own, and perhaps others since. Retries after temporary reasons, until the signal aborts. */
  async reopen(endpoint: string, signal: AbortSignal, attempts: number): Promise<Channel> {
    let last: unknown;
    for (let attempt = attempts; ; attempt += 1) {
      if (attempt > 0) await pause(attempt, signal);
      if (signal.aborted && last !== undefined) throw last;
      try {
        return await this.#openOnce(endpoint, signal, signal);
      } catch (error) {
        if (signal.aborted) throw last ?? new Error('there was no way to the device in time');
        if (!(error instanceof ChannelRejection) || !temporaryReasons.has(error.message)) throw error;
        last = error;
      }
    }
  }

  /** Waits for the link and for a free channel until the deadline. */
  async #openOnce(endpoint: string, deadline: AbortSignal, cancel?: AbortSignal): Promise<Channel> {
    for (;;) {
      const link = await this.#link.connected(deadline);
      this.#channelCount += 1;
      try {
        const signal = cancel ?? AbortSignal.timeout(openTimeoutMs);
        const channel = await link.openChannel(endpoint, { signal });
        void channel.closed.then(() => this.#releaseChannel());
        return channel;
      } catch (error) {
        if (isFull(error) && this.#channelCount > 1) {
          this.#channelCount -= 1;
          await this.#freeChannel(deadline);
        } else {
          this.#releaseChannel();
          if (!(error instanceof ConnectionClosure)) throw error;
        }
      }
    }
  }

  /** Waits until another connection has ended. Rejected with the signal's reason. */
  #freeChannel(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waitingForChannel.splice(this.#waitingForChannel.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      this.#waitingForChannel.push(enter);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  #releaseChannel(): void {
    this.#channelCount -= 1;
    this.#waitingForChannel.shift()?.();
  }
}

/** Waits before the next attempt, at most until the signal aborts. Streams that were lost together come back spread. */
async function pause(attempt: number, signal: AbortSignal): Promise<void> {
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
  await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}
