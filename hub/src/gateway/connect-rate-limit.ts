import { hash } from 'node:crypto';
import { networkOf } from '../auth/network.ts';
import { AdmissionError } from './AdmissionError.ts';
import { AdmissionRate } from './admission-rate.ts';
import type { DeviceCredentials, UserCredentials } from './credentials.ts';
import { KeyedTokenBuckets } from './keyed-token-buckets.ts';
import { RecentKeys } from './recent-keys.ts';
import { RetryAfterSchedule } from './retry-after-schedule.ts';
import { TokenBucket } from './token-bucket.ts';

/** Scheduled retries get this share of the admission rate, so that new clients find room too. */
const retryShare = 0.8;

/** Entries of each map of buckets; one takes some 250 bytes. */
const maxKeys = 16_384;
/** Entries of the map of proven credentials, of some 120 bytes: one for each device of a large node. */
const maxProven = 65_536;

/** How often the holder of one secret may connect. */
const secretLimits = {
  /** A running agent connects once, and is restarted now and then. */
  registered: { perSecond: 1, burst: 30, maxKeys },
  /** Scripts call one-shot commands in loops. */
  oneShot: { perSecond: 1, burst: 200, maxKeys },
  /** Scripts also call the command line in loops. */
  user: { perSecond: 1, burst: 200, maxKeys },
} as const;
/** A connection that violates the protocol, or is left while its calls wait, costs this many connections more. */
const connectsPerViolation = 9;

/** Attempts with wrong credentials per network (an IPv4 address or an IPv6 /64). */
const failureLimit = { perSecond: 10, burst: 300, maxKeys };
/** Failures of attempts that were running when the bucket became empty count as well, down to this. */
const lowestFailureTokens = -300;
/** A network with fewer tokens than this gets no place in the shared schedule of retries. */
const suspectBelowTokens = 150;
const randomRetrySecs = 10;

type Credentials = DeviceCredentials | UserCredentials;

/** One attempt to connect that may go on to the check of its credentials; its outcome is reported here. */
export interface ConnectPermit {
  /** The credentials were right. */
  accepted(): void;
  /** The credentials were wrong: the failure is charged to the address, not to the secret. */
  rejected(): void;
  /** The connection violated the protocol or was left while its calls waited, which costs its credentials nine connects more. */
  penalize(): void;
}

/**
 * Limits the rate of connection attempts: per secret, of failures per address, and overall. It is checked before any database query.
 * Keys are hashes of whole secrets, so that the public part of a secret is not enough to use up its holder's limit.
 */
export class ConnectRateLimit {
  readonly #rate = new AdmissionRate();
  readonly #overall: TokenBucket;
  readonly #perSecret: Readonly<Record<keyof typeof secretLimits, KeyedTokenBuckets>>;
  readonly #failures: KeyedTokenBuckets;
  /** Credentials that were valid recently: failures of others at the same address do not block them. */
  readonly #proven = new RecentKeys<true>(maxProven);
  readonly #retries: RetryAfterSchedule;
  #isShuttingDown = false;

  constructor(nowMs: () => number) {
    const { perSecond } = this.#rate;
    this.#overall = new TokenBucket({ perSecond, burst: perSecond }, nowMs);
    this.#perSecret = {
      registered: new KeyedTokenBuckets(secretLimits.registered, nowMs),
      oneShot: new KeyedTokenBuckets(secretLimits.oneShot, nowMs),
      user: new KeyedTokenBuckets(secretLimits.user, nowMs),
    };
    this.#failures = new KeyedTokenBuckets(failureLimit, nowMs);
    this.#retries = new RetryAfterSchedule(perSecond * retryShare, nowMs);
  }

  /** How many keys are kept over all maps. */
  get keyCount(): number {
    const maps = [...Object.values(this.#perSecret), this.#failures, this.#proven];
    return maps.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Lets one attempt through. Throws an AdmissionError with status 429 and Retry-After for too many attempts of one secret or too many failures
   * from one network, which cost others nothing, and when too many connections begin at once.
   */
  begin(credentials: Credentials, address: string | undefined): ConnectPermit {
    const { kind, key } = keyOf(credentials);
    const network = digest(networkOf(address ?? ''));
    const ofSecret = this.#perSecret[kind];
    if (this.#proven.peek(key) === undefined && this.#failures.tokensOf(network) < 1) throw tooManyFailures();
    if (!ofSecret.take(key))
      throw tooOften(`This ${kind === 'user' ? 'token' : 'device'} connects too often.`);
    if (!this.#overall.take()) throw this.#busyFor(key, network);
    return {
      accepted: () => this.#proven.set(key, true),
      rejected: () => {
        ofSecret.refund(key);
        this.#proven.delete(key);
        this.#failures.charge(network, 1, lowestFailureTokens);
      },
      penalize: () => ofSecret.charge(key, connectsPerViolation, -connectsPerViolation),
    };
  }

  /** Charges an attempt without readable credentials to its address as a wrong secret. Throws as `begin` for a network with too many failures. */
  countMalformed(address: string | undefined): void {
    const network = digest(networkOf(address ?? ''));
    if (this.#failures.tokensOf(network) < 1) throw tooManyFailures();
    this.#failures.charge(network, 1, lowestFailureTokens);
  }

  /** The refusal while too many connections begin; it schedules a retry. */
  busy(): AdmissionError {
    return busyFor(this.retryAfterSecs());
  }

  /** Adapts the overall rate to a sample of the event-loop delay in milliseconds, 20 times a second. */
  observe(delayMs: number): void {
    if (this.#isShuttingDown) return;
    this.#rate.observe(delayMs);
    this.#overall.perSecond = this.#rate.perSecond;
    this.#retries.perSecond = this.#rate.perSecond * retryShare;
  }

  /** Schedules retries only after `durationMs`, for the hub that starts then. */
  deferRetriesFor(durationMs: number): void {
    this.#isShuttingDown = true;
    this.#retries.perSecond = new AdmissionRate().perSecond * retryShare;
    this.#retries.blockFor(durationMs);
  }

  /** Schedules a retry; returns in how many seconds. */
  retryAfterSecs(): number {
    return this.#retries.nextSecs();
  }

  /** Forgets the keys whose limits are full again. */
  sweep(): void {
    for (const buckets of Object.values(this.#perSecret)) buckets.sweep();
    this.#failures.sweep();
  }

  /** Attempts from a network with many failures must not delay the retries of others. */
  #busyFor(key: string, network: string): AdmissionError {
    const isSuspect =
      this.#proven.peek(key) === undefined && this.#failures.tokensOf(network) < suspectBelowTokens;
    return isSuspect ? busyFor(randomRetry()) : this.busy();
  }
}

/** Not 503: load balancers send nothing to a server that answers so, and with all hubs left out a fleet gets no time to retry. */
function busyFor(retryAfterSecs: number): AdmissionError {
  return new AdmissionError(429, 'Internal', 'Too many connections begin at once.', retryAfterSecs);
}

function tooManyFailures(): AdmissionError {
  return tooOften('There were too many failed attempts from this address.');
}

function tooOften(sentence: string): AdmissionError {
  return new AdmissionError(429, 'Internal', sentence, randomRetry());
}

function randomRetry(): number {
  return 1 + Math.floor(Math.random() * randomRetrySecs);
}

/** A string of fixed length that shares no memory with its input. */
function digest(...parts: readonly string[]): string {
  return hash('sha256', parts.join(' '), 'base64');
}

function keyOf(credentials: Credentials): { kind: keyof typeof secretLimits; key: string } {
  if (credentials.kind === 'user') return { kind: 'user', key: digest(credentials.token) };
  const key = digest(credentials.token, credentials.fingerprint);
  return { kind: credentials.isRegistered ? 'registered' : 'oneShot', key };
}
