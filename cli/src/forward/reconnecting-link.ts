import { ConnectError, keepConnected, Ticker } from '@corral/client';
import type { MultiplexConnection } from '@corral/multiplex';

/** Observes the state of the link. */
export interface LinkObserver {
  onConnected(): void;
  /** The reason is a sentence without its full stop. */
  onWaiting(reason: string, delayMs: number): void;
}

/** Opens a link once. Rejected with a ConnectError. */
export type OpenLink = (signal: AbortSignal) => Promise<MultiplexConnection>;

/** A link to the hub that reconnects when it is lost. */
export class ReconnectingLink {
  readonly #open: OpenLink;
  readonly #observer: LinkObserver;
  readonly #ticker = new Ticker();
  readonly #waiting = new Set<(link: MultiplexConnection) => void>();
  #current: MultiplexConnection | undefined;
  #hasConnected = false;

  constructor(open: OpenLink, observer: LinkObserver) {
    this.#open = open;
    this.#observer = observer;
  }

  /**
   * Keeps the link open until the signal aborts. Rejected with the ConnectError of the first attempt, unless the hub only sends a Retry-After, and of a
   * later one that the hub refuses with 401 or 403.
   */
  async keep(signal: AbortSignal): Promise<void> {
    let refusal: ConnectError | undefined;
    const ended = new AbortController();
    const end = (): void => ended.abort();
    if (signal.aborted) end();
    // AbortSignal.any is missing in the oldest supported Node.js.
    signal.addEventListener('abort', end, { once: true });
    await keepConnected<MultiplexConnection>({
      signal: ended.signal,
      stopReason: 'the command line is stopping',
      open: async (connectSignal) => {
        try {
          return await this.#open(connectSignal);
        } catch (error) {
          if (error instanceof ConnectError && !signal.aborted && this.#isPermanent(error)) {
            refusal = error;
            end();
          }
          throw error;
        }
      },
      onConnected: (link) => this.#connected(link),
      onWaiting: ({ reason, delayMs }) => this.#observer.onWaiting(reason, delayMs),
    }).finally(() => signal.removeEventListener('abort', end));
    if (refusal !== undefined) throw refusal;
  }

  /** The link, once it is connected. Rejected with the signal's reason. */
  connected(signal: AbortSignal): Promise<MultiplexConnection> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    return new Promise((resolve, reject) => {
      const deliver = (link: MultiplexConnection): void => {
        signal.removeEventListener('abort', cancel);
        resolve(link);
      };
      const cancel = (): void => {
        this.#waiting.delete(deliver);
        reject(signal.reason);
      };
      if (signal.aborted) return cancel();
      this.#waiting.add(deliver);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** The link, while it is connected. */
  get current(): MultiplexConnection | undefined {
    return this.#current;
  }

  #isPermanent({ status, retryAfterMs }: ConnectError): boolean {
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
    this.#observer.onConnected();
    for (const deliver of this.#waiting) deliver(link);
    this.#waiting.clear();
  }
}
