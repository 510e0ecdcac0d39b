import { ConnectError, keepConnected, Ticker } from '@corral/client';
import type { MultiplexConnection } from '@corral/multiplex';

/** Told of what becomes of the link. */
export interface LinkWatch {
  onConnected(): void;
  /** The reason is a sentence without its full stop. */
  onWaiting(reason: string, delayMs: number): void;
}

/** Opens a link once. Rejected with a ConnectError. */
export type OpenLink = (signal: AbortSignal) => Promise<MultiplexConnection>;

/** A link to the hub that comes back when it is lost. */
export class ReconnectingLink {
  readonly #open: OpenLink;
  readonly #watch: LinkWatch;
  readonly #ticker = new Ticker();
  readonly #waiting = new Set<(link: MultiplexConnection) => void>();
  #current: MultiplexConnection | undefined;
  #hasConnected = false;

  constructor(open: OpenLink, watch: LinkWatch) {
    this.#open = open;
    this.#watch = watch;
  }

  /**
   * Keeps the link until the signal aborts. Rejected with the ConnectError of the first try, unless the hub only asks for time, and later
   * with that of a hub that has turned the user away.
   */
  async keep(signal: AbortSignal): Promise<void> {
    let refusal: ConnectError | undefined;
    const ended = new AbortController();
    const end = (): void => ended.abort();
    if (signal.aborted) end();
    // AbortSignal.any is missing in the oldest Node.js that is promised.
    signal.addEventListener('abort', end, { once: true });
    await keepConnected<MultiplexConnection>({
      signal: ended.signal,
      stopReason: 'the command line is stopping',
      open: async (giveUp) => {
        try {
          return await this.#open(giveUp);
        } catch (error) {
          if (error instanceof ConnectError && !signal.aborted && this.#isFinal(error)) {
            refusal = error;
            end();
          }
          throw error;
        }
      },
      onConnected: (link) => this.#connected(link),
      onWaiting: ({ reason, delayMs }) => this.#watch.onWaiting(reason, delayMs),
    }).finally(() => signal.removeEventListener('abort', end));
    if (refusal !== undefined) throw refusal;
  }

  /** The link, now or when it is there again. Rejected with the signal's reason. */
  connected(signal: AbortSignal): Promise<MultiplexConnection> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    return new Promise((resolve, reject) => {
      const give = (link: MultiplexConnection): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(link);
      };
      const giveUp = (): void => {
        this.#waiting.delete(give);
        reject(signal.reason);
      };
      if (signal.aborted) return giveUp();
      this.#waiting.add(give);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #isFinal({ status, retryAfterMs }: ConnectError): boolean {
    if (status === 429 || status === 503 || retryAfterMs !== undefined) return false;
    return !this.#hasConnected || status === 401 || status === 403;
  }

  #connected(link: MultiplexConnection): void {
    this.#hasConnected = true;
    this.#current = link;
    this.#ticker.add(link);
    void link.closed.then(() => {
      this.#ticker.remove(link);
      this.#current = undefined;
    });
    this.#watch.onConnected();
    for (const give of this.#waiting) give(link);
    this.#waiting.clear();
  }
}
