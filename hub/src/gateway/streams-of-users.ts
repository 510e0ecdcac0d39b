import type { Id } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';

/** Streams of one user, over all command lines: as many through one node, and as many to the devices of one node. */
export const defaultStreamsPerUser = 512;

/** Counts the streams of each user to the devices of this node, whichever node was asked for them. */
export class StreamsOfUsers {
  readonly #max: number;
  /** Only users with streams. */
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a stream from its opening to its end. Rejected with a ChannelRejection where the user has too many. */
  async open(userId: Id<'user'>, open: () => Promise<Channel>): Promise<Channel> {
    const count = this.#counts.get(userId) ?? 0;
    if (count >= this.#max) throw new ChannelRejection('connection channel limit reached');
    this.#counts.set(userId, count + 1);
    try {
      const channel = await open();
      void channel.closed.finally(() => this.#release(userId));
      return channel;
    } catch (error) {
      this.#release(userId);
      throw error;
    }
  }

  #release(userId: string): void {
    const count = this.#counts.get(userId) ?? 0;
    if (count > 1) this.#counts.set(userId, count - 1);
    else this.#counts.delete(userId);
  }
}
