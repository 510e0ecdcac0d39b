import { hash } from 'node:crypto';
import { KeyedTokenBuckets } from './keyed-token-buckets.ts';

/** Entries of each map of buckets; one takes some 250 bytes. */
const maxKeys = 16_384;

/** How often devices may be refused after the check of their credentials. An agent with a pending certificate tries every half minute: 600 of them behind one address are held up by none of these. */
const limits = {
  /** Most devices of a project have one token, so somebody with that token holds up only those of its new devices that have his address. */
  tokenAtNetwork: { perSecond: 20, burst: 300, maxKeys },
  /** A token that somebody uses from many addresses. */
  token: { perSecond: 100, burst: 1_000, maxKeys },
  /** Many tokens behind one address. */
  network: { perSecond: 50, burst: 1_000, maxKeys },
} as const;
/** With fewer tokens than this share of a bucket there were many refusals lately. */
const suspectBelow = 0.5;

type Scope = keyof typeof limits;
const scopes = Object.keys(limits) as Scope[];

/** By what the refusals of a device are counted: digests of its whole deployment token and of its network. */
export type RefusalKeys = Readonly<Record<Scope, string>>;

/** The keys of a device, from digests of its token and of its network. */
export function refusalKeys(token: string, network: string): RefusalKeys {
  return { tokenAtNetwork: hash('sha256', `${token} ${network}`, 'base64'), token, network };
}

/**
 * Counts attempts of devices that have a valid deployment token and are refused nevertheless: as too many new devices, or without an active certificate. Each costs the database
 * as much as one that is admitted, and with a good token anybody can make them from any number of random fingerprints.
 */
export class RefusedDevices {
  readonly #buckets: Readonly<Record<Scope, KeyedTokenBuckets>>;

  constructor(nowMs: () => number) {
    this.#buckets = {
      tokenAtNetwork: new KeyedTokenBuckets(limits.tokenAtNetwork, nowMs),
      token: new KeyedTokenBuckets(limits.token, nowMs),
      network: new KeyedTokenBuckets(limits.network, nowMs),
    };
  }

  /** How many keys are kept. */
  get size(): number {
    return scopes.reduce((sum, scope) => sum + this.#buckets[scope].size, 0);
  }

  /** Whether a device that was not admitted lately has to wait. */
  isOverLimit(keys: RefusalKeys): boolean {
    return scopes.some((scope) => this.#buckets[scope].tokensOf(keys[scope]) < 1);
  }

  /** Whether so many were refused lately that others must not wait behind this one. */
  isSuspect(keys: RefusalKeys): boolean {
    return scopes.some(
      (scope) => this.#buckets[scope].tokensOf(keys[scope]) < limits[scope].burst * suspectBelow,
    );
  }

  /** Counts a refusal; also those of attempts that were running when a limit was reached. */
  count(keys: RefusalKeys): void {
    for (const scope of scopes) this.#buckets[scope].charge(keys[scope], 1, -limits[scope].burst);
  }

  /** Forgets the keys whose limits are full again. */
  sweep(): void {
    for (const scope of scopes) this.#buckets[scope].sweep();
  }
}
