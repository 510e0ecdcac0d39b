import { ChannelRejection, ConnectionClosure, type Channel } from '@corral/multiplex';

/** How many requests for channels a peer puts up with. */
export interface OpeningLimits {
  /** Those that it has not answered yet. */
  readonly unanswered: number;
  /** Those that reach it within any one second. */
  readonly perSecond: number;
}

interface Wish {
  readonly endpoint: string;
  readonly resolve: (channel: Channel) => void;
  readonly reject: (error: Error) => void;
  /** Nobody waits for it any more. */
  isOver: boolean;
}

/** A second of the peer's, and what two clocks may differ by. */
const secondMs = 1_050;
const maxWaiting = 512;
const tooMany = 'connection channel limit reached';

/**
 * The line of those who want a channel to one peer. A request counts from the moment it goes out until a second after its answer: whatever
 * the network does in between, the peer then never sees more of them within a second than it takes. Those who would be refused
 * because the peer has all the channels it can have wait as well, until one of them ends.
 */
export class Openings {
  readonly #ask: (endpoint: string) => Promise<Channel>;
  readonly #limits: () => OpeningLimits;
  readonly #waiting: Wish[] = [];
  #unanswered = 0;
  #answeredLately = 0;
  #open = 0;
  /** As many channels as the peer has turned out to take. */
  #mostAtOnce = Infinity;
  #isTrialDue = false;

  constructor(ask: (endpoint: string) => Promise<Channel>, limits: () => OpeningLimits) {
    this.#ask = ask;
    this.#limits = limits;
  }

  /**
   * Opens a channel when its turn comes. Rejected as `MultiplexConnection.openChannel`, with a ChannelRejection also when the line is too
   * long, and when the time of the signal is up before the turn comes.
   */
  open(endpoint: string, signal?: AbortSignal): Promise<Channel> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new ChannelRejection(tooMany));
    const { promise, resolve, reject } = Promise.withResolvers<Channel>();
    const wish: Wish = { endpoint, resolve, reject, isOver: false };
    this.#waiting.push(wish);
    this.#pump();
    if (signal === undefined) return promise;
    const cancel = (): void => this.#cancel(wish, signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  #cancel(wish: Wish, reason: Error): void {
    const index = this.#waiting.indexOf(wish);
    if (index >= 0) this.#waiting.splice(index, 1);
    wish.isOver = true;
    wish.reject(index >= 0 && reason.name === 'TimeoutError' ? new ChannelRejection(tooMany) : reason);
  }

  #pump(): void {
    while (this.#mayAsk) {
      const wish = this.#waiting.shift();
      if (wish === undefined) return;
      void this.#send(wish);
    }
  }

  get #mayAsk(): boolean {
    const { unanswered, perSecond } = this.#limits();
    return (
      this.#unanswered < unanswered &&
      this.#unanswered + this.#answeredLately < perSecond &&
      this.#open + this.#unanswered < this.#mostAtOnce
    );
  }

  async #send(wish: Wish): Promise<void> {
    this.#unanswered += 1;
    try {
      const channel = await this.#ask(wish.endpoint);
      this.#answered();
      this.#opened(wish, channel);
    } catch (error) {
      this.#answered();
      this.#refused(wish, error as Error);
    }
    this.#pump();
  }

  #answered(): void {
    this.#unanswered -= 1;
    if (this.#limits().perSecond === Infinity) return;
    this.#answeredLately += 1;
    setTimeout(() => {
      this.#answeredLately -= 1;
      this.#pump();
    }, secondMs).unref();
  }

  #opened(wish: Wish, channel: Channel): void {
    this.#open += 1;
    if (this.#open >= this.#mostAtOnce) this.#tryOneMoreLater();
    void channel.closed.then(() => this.#closed());
    if (wish.isOver) channel.abort('cancelled');
    else wish.resolve(channel);
  }

  #closed(): void {
    this.#open -= 1;
    this.#pump();
  }

  /** What the peer takes may grow again, since it has channels of its own. */
  #tryOneMoreLater(): void {
    if (this.#isTrialDue) return;
    this.#isTrialDue = true;
    setTimeout(() => {
      this.#isTrialDue = false;
      this.#mostAtOnce += 1;
      this.#pump();
    }, secondMs).unref();
  }

  #refused(wish: Wish, error: Error): void {
    const others = this.#open + this.#unanswered;
    if (error instanceof ConnectionClosure) for (const { reject } of this.#waiting.splice(0)) reject(error);
    const isFull = error instanceof ChannelRejection && error.message === tooMany && others > 0;
    if (!isFull || wish.isOver) return wish.reject(error);
    this.#mostAtOnce = others;
    this.#tryOneMoreLater();
    this.#waiting.unshift(wish);
  }
}
