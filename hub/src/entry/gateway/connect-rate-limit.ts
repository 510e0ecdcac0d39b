import { hash } from 'node:crypto';
import { networkOf } from '../../auth/network.ts';
import { Buckets, maxKeys, RecentKeys } from '../../limits/bucket.ts';
import { limits } from '../../limits/table.ts';
import type { DeviceCredentials, UserCredentials } from './credentials.ts';
import { AdmissionError } from './refuse-upgrade.ts';

/** Scheduled retries get this share of the admission rate, so that new clients find room too. */
const retryShare = 0.8;
/** How much of the overall rate must be left for a client to take from it, by the state of its retry. */
const stayingShare = { due: 0, new: 1 - retryShare, early: 0.5 };
/** Credentials that were valid recently: one entry, of some 120 bytes, for each device of a large node. */
const maxProven = 65_536;
/** A connection that violates the protocol, or is left while its calls wait, costs this many connections more. */
const connectsPerViolation = 9;
/** Whoever failed or was refused so often that less than this share is left gets no place in the shared schedule of retries. */
const suspectShare = 0.5;
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
  readonly #overall: Buckets;
  readonly #ofSecret: Readonly<Record<Attempt['kind'], Buckets>>;
  readonly #ofUser: Buckets;
  readonly #kept: Buckets;
  readonly #shares: Buckets;
  readonly #failures: Buckets;
  readonly #refusals: Readonly<Record<RefusalScope, Buckets>>;
  /** The id of the project or user whose a token was when it was valid last: its share is known by it, and before by the network. */
  readonly #owners = new RecentKeys<string>(maxKeys);
  /** Failures of others at the same address do not block these. */
  readonly #proven = new RecentKeys<true>(maxProven);
  readonly #retries: RetryAfterSchedule;

  constructor(nowMs: () => number) {
    this.#overall = new Buckets(limits.connects, nowMs);
    this.#ofSecret = {
      registered: new Buckets(limits.connectsOfDevice, nowMs),
      oneShot: new Buckets(limits.connectsOfScript, nowMs),
      user: new Buckets(limits.connectsOfScript, nowMs),
    };
    this.#ofUser = new Buckets(limits.connectsOfUser, nowMs);
    this.#kept = new Buckets(limits.keptConnects, nowMs);
    this.#shares = new Buckets(limits.connectShare, nowMs);
    this.#failures = new Buckets(limits.failedConnects, nowMs);
    this.#refusals = {
      tokenAtNetwork: new Buckets(refusalLimits.tokenAtNetwork, nowMs),
      token: new Buckets(refusalLimits.token, nowMs),
      network: new Buckets(refusalLimits.network, nowMs),
    };
    this.#retries = new RetryAfterSchedule(limits.connects.perSecond * retryShare, nowMs);
  }

  /**
   * Lets one attempt through. Throws an AdmissionError with status 429 and Retry-After for too many attempts of one secret or user, too many failures
   * from one network or refused devices of one deployment token, which cost others nothing, and when too many connections begin at once.
   */
  begin(credentials: Credentials, address: string | undefined): ConnectPermit {
    const attempt = keysOf(credentials, address);
    this.#mustBeUnblocked(attempt);
    this.#takeOwn(attempt);
    const isReserved = !this.#takeOverall(attempt);
    if (isReserved && !this.#takeShare(attempt)) throw this.#busyFor(attempt);
    return this.#permitOf(attempt, isReserved);
  }

  /** Charges an attempt without readable credentials to its address as a wrong secret. Throws as `begin` for a network with too many failures. */
  countMalformed(address: string | undefined): void {
    const network = digest(networkOf(address ?? ''));
    if (this.#failures.tokensOf(network) < 1) throw tooManyFailures();
    this.#failures.charge(network, 1, -limits.failedConnects.burst);
  }

  /** The refusal while too many connections begin; it schedules a retry. */
  busy(): AdmissionError {
    return busyFor(this.retryAfterSecs());
  }

  /** Schedules retries only after `durationMs`, for the hub that starts then. */
  deferRetriesFor(durationMs: number): void {
    this.#retries.blockFor(durationMs);
  }

  /** Schedules a retry; returns in how many seconds. */
  retryAfterSecs(): number {
    return this.#retries.nextSecs();
  }

  /** Failures and refusals of others do not hold up credentials that were valid recently. */
  #mustBeUnblocked({ key, network, refusals }: Attempt): void {
    if (this.#proven.peek(key) !== undefined) return;
    if (this.#failures.tokensOf(network) < 1) throw tooManyFailures();
    if (this.#leastOfRefusals(refusals, (tokens) => tokens) < 1) throw tooManyRefusals();
  }

  /** Takes from the limits of the secret and of its user. */
  #takeOwn({ kind, key, token }: Attempt): void {
    if (!this.#ofSecret[kind].take(key))
      throw tooOften(`This ${kind === 'user' ? 'token' : 'device'} connects too often.`);
    const user = kind === 'user' ? this.#owners.peek(token) : undefined;
    if (user !== undefined && !this.#ofUser.take(user)) throw tooOften('This user connects too often.');
  }

  /** Takes from the overall rate. While little of it is left, whose retry is due comes before who has just arrived, and both before who does not wait. */
  #takeOverall({ key }: Attempt): boolean {
    const mustStay = stayingShare[this.#retries.stateOf(key)] * limits.connects.perSecond;
    return this.#overall.tokensOf() >= mustStay && this.#overall.take();
  }

  /** Takes one of the connections that are kept for others; false when there is none, or the share is used up. */
  #takeShare({ token, network }: Attempt): boolean {
    const key = this.#owners.peek(token) ?? network;
    return this.#shares.tokensOf(key) >= 1 && this.#kept.take() && this.#shares.take(key);
  }

  /** The least that is left of the refusals of a device, by any scope; more than any of them for who is none. */
  #leastOfRefusals(keys: Attempt['refusals'], of: (tokens: number, scope: RefusalScope) => number): number {
    const left =
      keys === undefined
        ? []
        : refusalScopes.map((scope) => of(this.#refusals[scope].tokensOf(keys[scope]), scope));
    return Math.min(Infinity, ...left);
  }

  #permitOf({ kind, key, token, network, refusals }: Attempt, isReserved: boolean): ConnectPermit {
    const ofSecret = this.#ofSecret[kind];
    const isKnown = this.#owners.peek(token) !== undefined;
    return {
      accepted: ({ userId, projectId } = {}) => {
        this.#proven.set(key, true);
        this.#retries.forget(key);
        const owner = kind === 'user' ? userId : projectId;
        if (owner === undefined) return;
        if (kind === 'user' && !isKnown) this.#ofUser.charge(owner, 1, -limits.connectsOfUser.burst);
        this.#owners.set(token, owner);
        // A connection of the overall rate counts for the share as well.
        if (!isReserved) this.#shares.charge(owner);
      },
      rejected: () => {
        ofSecret.refund(key);
        if (kind === 'user') this.#owners.delete(token);
        this.#proven.delete(key);
        this.#failures.charge(network, 1, -limits.failedConnects.burst);
      },
      refused: () => {
        this.#proven.delete(key);
        if (refusals === undefined) return;
        for (const scope of refusalScopes)
          this.#refusals[scope].charge(refusals[scope], 1, -refusalLimits[scope].burst);
      },
      penalize: () => ofSecret.charge(key, connectsPerViolation, -connectsPerViolation),
    };
  }

  /** Attempts of those who failed or were refused often must not delay the retries of others. */
  #busyFor({ key, network, refusals }: Attempt): AdmissionError {
    const isSuspect =
      this.#proven.peek(key) === undefined &&
      (this.#failures.tokensOf(network) < limits.failedConnects.burst * suspectShare ||
        this.#leastOfRefusals(refusals, (tokens, scope) => tokens / refusalLimits[scope].burst) <
          suspectShare);
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

/** Most devices of a project have one token, so somebody with that token holds up only those of its new devices that have his address. */
const refusalLimits = {
  tokenAtNetwork: limits.refusedDevicesOfTokenAtNetwork,
  token: limits.refusedDevicesOfToken,
  network: limits.refusedDevicesOfNetwork,
} as const;

type RefusalScope = keyof typeof refusalLimits;
const refusalScopes = Object.keys(refusalLimits) as RefusalScope[];

/** By what an attempt is limited: digests of its secret and of its network. */
interface Attempt {
  readonly kind: 'registered' | 'oneShot' | 'user';
  readonly key: string;
  readonly token: string;
  readonly network: string;
  /** Only for devices. */
  readonly refusals?: Readonly<Record<RefusalScope, string>>;
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
    refusals: { tokenAtNetwork: digest(token, network), token, network },
  };
}

const maxRetrySecs = 300;
/** How many clients are remembered with the time of their retry; one takes some 120 bytes. */
const maxClients = 65_536;
/** How long a client that does not come when its retry is due keeps its turn. */
const keptForMs = 60_000;
/** Whole seconds are coarse: a random part of this length spreads the returns again. */
const spreadSecs = 2;

/** Schedules Retry-After times so that refused clients return at the rate at which they can be admitted. */
export class RetryAfterSchedule {
  readonly #perSecond: number;
  readonly #nowMs: () => number;
  readonly #random: () => number;
  #lastAtMs = 0;
  readonly #dueAtMs = new RecentKeys<number>(maxClients);

  constructor(perSecond: number, nowMs: () => number, random: () => number = Math.random) {
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#random = random;
  }

  /** Schedules no retry earlier than `durationMs` from now. */
  blockFor(durationMs: number): void {
    this.#lastAtMs = Math.max(this.#lastAtMs, this.#nowMs() + durationMs);
  }

  /** Where a client stands: it was given no time, or comes before its time, or comes when it was told to. */
  stateOf(client: string): 'new' | 'early' | 'due' {
    const dueAtMs = this.#dueAtMs.peek(client);
    if (dueAtMs === undefined) return 'new';
    if (dueAtMs > this.#nowMs()) return 'early';
    return dueAtMs < this.#nowMs() - keptForMs ? 'new' : 'due';
  }

  /**
   * Schedules the next retry and returns in how many whole seconds it is due: at least 1, at most some 300. A client whose retry is scheduled already keeps its time: however often
   * it tries meanwhile, it delays no other.
   */
  nextSecs(client?: string): number {
    const nowMs = this.#nowMs();
    const waitSecs = (this.#atMsFor(client, nowMs) - nowMs) / 1_000;
    return 1 + Math.floor(waitSecs + this.#random() * spreadSecs);
  }

  /** Forgets the retry of a client that is back. */
  forget(client: string): void {
    this.#dueAtMs.delete(client);
  }

  #atMsFor(client: string | undefined, nowMs: number): number {
    const knownAtMs = client === undefined ? 0 : (this.#dueAtMs.peek(client) ?? 0);
    if (knownAtMs > nowMs) return knownAtMs;
    const nextAtMs = Math.max(this.#lastAtMs, nowMs) + 1_000 / this.#perSecond;
    this.#lastAtMs = Math.min(nextAtMs, nowMs + maxRetrySecs * 1_000);
    if (client !== undefined) this.#dueAtMs.set(client, this.#lastAtMs);
    return this.#lastAtMs;
  }
}
