import { KeyedTokenBuckets } from './keyed-token-buckets.ts';
import { RecentKeys } from '../concurrency/recent-keys.ts';
import { TokenBucket } from './token-bucket.ts';

/** Entries of each map; one takes some 250 bytes. */
const maxKeys = 16_384;
/** Connections that are kept, beside the overall rate, for those who connect seldom. */
const reservedLimit = { perSecond: 50, burst: 500 };
/** What one project or user gets of them, less what it has got of the overall rate. */
const shareLimit = { perSecond: 5, burst: 100, maxKeys };

/** By what the share of an attempt is known: digests of its token and of its network. */
interface ShareKeys {
  readonly token: string;
  readonly network: string;
}

/**
 * Connections that are kept for projects and users who connect seldom, so that the devices of one project, however many and however often they connect, do not keep out all others. A project
 * or user is known by its tokens, once one of them was valid; before, its network has the share.
 */
export class ConnectShares {
  readonly #reserved: TokenBucket;
  readonly #shares: KeyedTokenBuckets;
  /** The id of the project or user whose a token was when it was valid last. */
  readonly #owners = new RecentKeys<string>(maxKeys);

  constructor(nowMs: () => number) {
    this.#reserved = new TokenBucket(reservedLimit, nowMs);
    this.#shares = new KeyedTokenBuckets(shareLimit, nowMs);
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#shares.size + this.#owners.size;
  }

  /** The owner of a token that was valid here before. */
  ownerOf(token: string): string | undefined {
    return this.#owners.peek(token);
  }

  /** Takes one of the reserved connections; false when there is none, or the share is used up. */
  take({ token, network }: ShareKeys): boolean {
    const key = this.#owners.peek(token) ?? network;
    if (this.#shares.tokensOf(key) < 1 || !this.#reserved.take()) return false;
    return this.#shares.take(key);
  }

  /** Notes whose a valid token is. A connection of the overall rate counts for the share as well. */
  accepted(token: string, owner: string, isReserved: boolean): void {
    this.#owners.set(token, owner);
    if (!isReserved) this.#shares.charge(owner, 1);
  }

  /** Forgets whose the token was. */
  rejected(token: string): void {
    this.#owners.delete(token);
  }

  /** Forgets the shares that are full again. */
  sweep(): void {
    this.#shares.sweep();
  }
}
