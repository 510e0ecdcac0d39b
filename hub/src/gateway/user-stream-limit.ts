import type { Id } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';

/** The most streams of one user over all command lines, through one node and to the devices of one node each. */
export const defaultStreamsPerUser = 512;

/** Limits the streams of each user to the devices of this node, from whichever node they were requested. */
export class UserStreamLimit {
  readonly #max: number;
  /** Has no entry for users without streams. */
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
