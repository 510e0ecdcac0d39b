import { channelReasons, resumableForwards } from '@corral/contract';
import { type Channel, ChannelRejection, ConnectionClosure, MultiplexConnection } from '@corral/multiplex';

/** How many channel requests each kind of peer accepts. An unknown peer may be an agent of 2026-08, which ends the connection beyond these limits. */
const limits = {
  unknown: { unanswered: 32, perSecond: 60 },
  /** Corral's agent accepts 2,000 control frames a second, and a channel needs three or four. */
  corral: { unanswered: 64, perSecond: 500 },
  /** It takes any number, but what it answers counts for the limit of its own control frames: three for a port that is closed. */
  firstGeneration: { unanswered: Infinity, perSecond: 500 },
} as const satisfies Record<string, ChannelOpenLimits>;

/** Which program the peer runs. */
type PeerKind = keyof typeof limits;

/** A connection that requests channels no faster than its peer accepts them. */
export class RateLimitedConnection extends MultiplexConnection {
  #queue: ChannelOpenQueue | undefined;
  #info: string | undefined;
  #hello: PromiseWithResolvers<void> | undefined;
  /** Which program the peer runs, as far as known. */
  peerKind: PeerKind = 'unknown';

  /** The info of the Hello of the peer has arrived. Corral's own programs identify themselves; the others are recognised by their calls, or never. */
  identified(info: string): void {
    this.#info = info;
    if (info.startsWith('corral-')) this.peerKind = 'corral';
    this.#hello?.resolve();
  }

  /**
   * As `MultiplexConnection.openChannel`, but queued: see `ChannelOpenQueue.open`. A resumable forward is requested only of a peer whose Hello says that it serves them, since
   * others may end at an endpoint that they do not know.
   */
  override openChannel(endpoint: string, options?: { readonly signal?: AbortSignal }): Promise<Channel> {
    return resumableForwards.isEndpoint(endpoint)
      ? this.#openResumable(endpoint, options?.signal)
      : this.#open(endpoint, options?.signal);
  }

  async #openResumable(endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    this.#hello ??= Promise.withResolvers();
    // The device may have been connected this very moment. Without a Hello the connection ends soon.
    if (this.#info === undefined) await Promise.race([this.#hello.promise, this.closed]);
    if (this.#info !== undefined && !resumableForwards.isIn(this.#info))
      throw new ChannelRejection(channelReasons.notResumable);
    return this.#open(endpoint, signal);
  }

  #open(endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    this.#queue ??= new ChannelOpenQueue(
      (requested) => super.openChannel(requested),
      () => limits[this.peerKind],
    );
    return this.#queue.open(endpoint, signal);
  }
}

/** How many channel requests a peer accepts. */
interface ChannelOpenLimits {
  /** Requests that it has not answered yet. */
  readonly unanswered: number;
  /** Requests that reach it within any one second. */
  readonly perSecond: number;
}

interface PendingOpen {
  readonly endpoint: string;
  readonly resolve: (channel: Channel) => void;
  readonly reject: (error: Error) => void;
  /** The caller has cancelled it. */
  isCancelled: boolean;
}

/** A second, and the drift that two clocks may have in it. */
const secondMs = 1_050;
const maxWaiting = 512;

/**
 * Queues channel requests to one peer. A request counts until a second after its response, so that the peer never sees more within a second
 * than it accepts. At most 512 wait; the next is rejected.
 */
class ChannelOpenQueue {
  readonly #openChannel: (endpoint: string) => Promise<Channel>;
  readonly #limits: () => ChannelOpenLimits;
  readonly #waiting: PendingOpen[] = [];
  #unanswered = 0;
  #recentlyAnswered = 0;
  #open = 0;
  /** The channel limit of the peer, learned from its rejections. */
  #channelLimit = Infinity;
  #isRaiseDue = false;

  constructor(openChannel: (endpoint: string) => Promise<Channel>, limits: () => ChannelOpenLimits) {
    this.#openChannel = openChannel;
    this.#limits = limits;
  }

  /**
   * Opens a channel when its turn comes. Rejected as `MultiplexConnection.openChannel`; with a ChannelRejection also when the
   * queue is full, and when the signal times out before the turn comes.
   */
  open(endpoint: string, signal?: AbortSignal): Promise<Channel> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.#waiting.length >= maxWaiting)
      return Promise.reject(new ChannelRejection(channelReasons.limitReached));
    const { promise, resolve, reject } = Promise.withResolvers<Channel>();
    const pending: PendingOpen = { endpoint, resolve, reject, isCancelled: false };
    this.#waiting.push(pending);
    this.#pump();
    if (signal === undefined) return promise;
    const cancel = (): void => this.#cancel(pending, signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  #cancel(pending: PendingOpen, reason: Error): void {
    const index = this.#waiting.indexOf(pending);
    if (index >= 0) this.#waiting.splice(index, 1);
    pending.isCancelled = true;
    pending.reject(
      index >= 0 && reason.name === 'TimeoutError'
        ? new ChannelRejection(channelReasons.limitReached)
        : reason,
    );
  }

  #pump(): void {
    while (this.#mayRequest) {
      const pending = this.#waiting.shift();
      if (pending === undefined) return;
      void this.#send(pending);
    }
  }

  get #mayRequest(): boolean {
    const { unanswered, perSecond } = this.#limits();
    return (
      this.#unanswered < unanswered &&
      this.#unanswered + this.#recentlyAnswered < perSecond &&
      this.#open + this.#unanswered < this.#channelLimit
    );
  }

  async #send(pending: PendingOpen): Promise<void> {
    this.#unanswered += 1;
    try {
      const channel = await this.#openChannel(pending.endpoint);
      this.#answered();
      this.#opened(pending, channel);
    } catch (error) {
      this.#answered();
      this.#refused(pending, error as Error);
    }
    this.#pump();
  }

  #answered(): void {
    this.#unanswered -= 1;
    if (this.#limits().perSecond === Infinity) return;
    this.#recentlyAnswered += 1;
    setTimeout(() => {
      this.#recentlyAnswered -= 1;
      this.#pump();
    }, secondMs).unref();
  }

  #opened(pending: PendingOpen, channel: Channel): void {
    this.#open += 1;
    if (this.#open >= this.#channelLimit) this.#raiseLimitLater();
    void channel.closed.then(() => this.#closed());
    if (pending.isCancelled) channel.abort('cancelled');
    else pending.resolve(channel);
  }

  #closed(): void {
    this.#open -= 1;
    this.#pump();
  }

  /** The learned limit may rise again, since it also counts channels that the peer has opened. */
  #raiseLimitLater(): void {
    if (this.#isRaiseDue) return;
    this.#isRaiseDue = true;
    setTimeout(() => {
      this.#isRaiseDue = false;
      this.#channelLimit += 1;
      this.#pump();
    }, secondMs).unref();
  }

  #refused(pending: PendingOpen, error: Error): void {
    const others = this.#open + this.#unanswered;
    if (error instanceof ConnectionClosure) for (const { reject } of this.#waiting.splice(0)) reject(error);
    const isFull =
      error instanceof ChannelRejection && error.message === channelReasons.limitReached && others > 0;
    if (!isFull || pending.isCancelled) return pending.reject(error);
    this.#channelLimit = others;
    this.#raiseLimitLater();
    this.#waiting.unshift(pending);
  }
}
