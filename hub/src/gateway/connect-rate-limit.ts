import { hash } from 'node:crypto';
import { networkOf } from '../auth/network.ts';
import { AdmissionError } from './AdmissionError.ts';
import { AdmissionRate } from './admission-rate.ts';
import { ConnectShares } from './connect-shares.ts';
import type { DeviceCredentials, UserCredentials } from './credentials.ts';
import { KeyedTokenBuckets } from './keyed-token-buckets.ts';
import { RecentKeys } from '../concurrency/recent-keys.ts';
import { RefusedDevices, refusalKeys, type RefusalKeys } from './refused-devices.ts';
import { RetryAfterSchedule } from './retry-after-schedule.ts';
import { TokenBucket } from './token-bucket.ts';

/** Scheduled retries get this share of the admission rate, so that new clients find room too. */
const retryShare = 0.8;
/** How much of the overall rate must be left for a client to take from it, by the state of its retry. */
const stayingShare = { due: 0, new: 1 - retryShare, early: 0.5 };

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
/** How often one user may connect, with all tokens: a user may have hundreds, and scripts and CI use several at a time. */
const userLimit = { perSecond: 4, burst: 300, maxKeys };

/** A connection that violates the protocol, or is left while its calls wait, costs this many connections more. */
const connectsPerViolation = 9;

/** Attempts with wrong credentials per network (an IPv4 address or an IPv6 /64). */
const failureLimit = { perSecond: 10, burst: 300, maxKeys };
/** Failures of attempts that were running when the bucket became empty count as well, down to this. */
const lowestFailureTokens = -300;
/** A network with fewer tokens than this gets no place in the shared schedule of retries. */
const suspectBelowTokens = 150;
const randomRetrySecs = 10;
/** Agents with a pending certificate come every half minute; after this refusal they come hardly more often. */
const refusedRetry = { fromSecs: 10, randomSecs: 20 };

type Credentials = DeviceCredentials | UserCredentials;

/** One attempt to connect that may go on to the check of its credentials; its outcome is reported here. */
export interface ConnectPermit {
  /** The credentials were right; with the id of the user whose token it is, or of the project of the device. */
  accepted(owner?: { readonly userId?: string; readonly projectId?: string }): void;
  /** The credentials were wrong: the failure is charged to the address, not to the secret. */
  rejected(): void;
  /** The deployment token was right, but the device is refused, which is charged to the token and the address. */
  refused(): void;
  /** The connection violated the protocol or was left while its calls waited, which costs its credentials nine connects more. */
  penalize(): void;
}

/**
 * Limits the rate of connection attempts: per secret, per user, of failures per address, of refused devices per deployment token, and overall, with shares for projects and users who connect
 * seldom. It is checked before any database query.
 * Keys are hashes of whole secrets, so that the public part of a secret is not enough to use up its holder's limit.
 */
export class ConnectRateLimit {
  readonly #rate = new AdmissionRate();
  readonly #overall: TokenBucket;
  readonly #perSecret: Readonly<Record<keyof typeof secretLimits, KeyedTokenBuckets>>;
  readonly #perUser: KeyedTokenBuckets;
  readonly #shares: ConnectShares;
  readonly #failures: KeyedTokenBuckets;
  readonly #refusedDevices: RefusedDevices;
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
    this.#perUser = new KeyedTokenBuckets(userLimit, nowMs);
    this.#shares = new ConnectShares(nowMs);
    this.#failures = new KeyedTokenBuckets(failureLimit, nowMs);
    this.#refusedDevices = new RefusedDevices(nowMs);
    this.#retries = new RetryAfterSchedule(perSecond * retryShare, nowMs);
  }

  /** How many keys are kept over all maps. */
  get keyCount(): number {
    const ofSecrets = [...Object.values(this.#perSecret), this.#proven];
    const maps = [
      ...ofSecrets,
      this.#perUser,
      this.#shares,
      this.#failures,
      this.#refusedDevices,
      this.#retries,
    ];
    return maps.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Lets one attempt through. Throws an AdmissionError with status 429 and Retry-After for too many attempts of one secret or user, too many failures
   * from one network or refused devices of one deployment token, which cost others nothing, and when too many connections begin at once.
   */
  begin(credentials: Credentials, address: string | undefined): ConnectPermit {
    const attempt = keysOf(credentials, address);
    this.#requireUnblocked(attempt);
    this.#takeOwn(attempt);
    const isReserved = !this.#takeOverall(attempt);
    if (isReserved && !this.#shares.take(attempt)) throw this.#busyFor(attempt);
    return this.#permitOf(attempt, isReserved);
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
    this.#perUser.sweep();
    this.#shares.sweep();
    this.#retries.sweep();
    this.#failures.sweep();
    this.#refusedDevices.sweep();
  }

  /** Failures and refusals of others do not hold up credentials that were valid recently. */
  #requireUnblocked({ key, network, refusals }: Attempt): void {
    if (this.#proven.peek(key) !== undefined) return;
    if (this.#failures.tokensOf(network) < 1) throw tooManyFailures();
    if (refusals !== undefined && this.#refusedDevices.isOverLimit(refusals)) throw tooManyRefusals();
  }

  /** Takes from the limits of the secret and of its user. */
  #takeOwn({ kind, key, token }: Attempt): void {
    if (!this.#perSecret[kind].take(key))
      throw tooOften(`This ${kind === 'user' ? 'token' : 'device'} connects too often.`);
    const user = kind === 'user' ? this.#shares.ownerOf(token) : undefined;
    if (user !== undefined && !this.#perUser.take(user)) throw tooOften('This user connects too often.');
  }

  /** Takes from the overall rate. While little of it is left, whose retry is due comes before who has just arrived, and both before who does not wait. */
  #takeOverall({ key }: Attempt): boolean {
    const mustStay = stayingShare[this.#retries.stateOf(key)] * this.#rate.perSecond;
    return this.#overall.tokens >= mustStay && this.#overall.take();
  }

  #permitOf({ kind, key, token, network, refusals }: Attempt, isReserved: boolean): ConnectPermit {
    const ofSecret = this.#perSecret[kind];
    const isKnown = this.#shares.ownerOf(token) !== undefined;
    return {
      accepted: ({ userId, projectId } = {}) => {
        this.#proven.set(key, true);
        this.#retries.forget(key);
        const owner = kind === 'user' ? userId : projectId;
        if (owner === undefined) return;
        if (kind === 'user' && !isKnown) this.#perUser.charge(owner, 1, -userLimit.burst);
        this.#shares.accepted(token, owner, isReserved);
      },
      rejected: () => {
        ofSecret.refund(key);
        if (kind === 'user') this.#shares.rejected(token);
        this.#proven.delete(key);
        this.#failures.charge(network, 1, lowestFailureTokens);
      },
      refused: () => {
        this.#proven.delete(key);
        if (refusals !== undefined) this.#refusedDevices.count(refusals);
      },
      penalize: () => ofSecret.charge(key, connectsPerViolation, -connectsPerViolation),
    };
  }

  /** Attempts of those who failed or were refused often must not delay the retries of others. */
  #busyFor({ key, network, refusals }: Attempt): AdmissionError {
    const isSuspect =
      this.#proven.peek(key) === undefined &&
      (this.#failures.tokensOf(network) < suspectBelowTokens ||
        (refusals !== undefined && this.#refusedDevices.isSuspect(refusals)));
    return busyFor(isSuspect ? randomRetry() : this.#retries.nextSecs(key));
  }
}

/** Not 503: load balancers send nothing to a server that answers so, and with all hubs left out a fleet gets no time to retry. */
function busyFor(retryAfterSecs: number): AdmissionError {
  return new AdmissionError(429, 'Internal', 'Too many connections begin at once.', retryAfterSecs);
}

function tooManyFailures(): AdmissionError {
  return tooOften('There were too many failed attempts from this address.');
}

function tooManyRefusals(): AdmissionError {
  const retryAfterSecs = refusedRetry.fromSecs + Math.floor(Math.random() * refusedRetry.randomSecs);
  const sentence = 'Too many devices with this deployment token were refused. Try again later.';
  return new AdmissionError(429, 'Internal', sentence, retryAfterSecs);
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

/** By what an attempt is limited: digests of its secret and of its network. */
interface Attempt {
  readonly kind: keyof typeof secretLimits;
  readonly key: string;
  readonly token: string;
  readonly network: string;
  /** Only for devices. */
  readonly refusals?: RefusalKeys;
}

function keysOf(credentials: Credentials, address: string | undefined): Attempt {
  const network = digest(networkOf(address ?? ''));
  const token = digest(credentials.token);
  if (credentials.kind === 'user') return { kind: 'user', key: token, token, network };
  return {
    kind: credentials.isRegistered ? 'registered' : 'oneShot',
    key: digest(credentials.token, credentials.fingerprint),
    token,
    network,
    refusals: refusalKeys(token, network),
  };
}
