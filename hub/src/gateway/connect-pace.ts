import { ids } from '@corral/contract';
import { AdmissionError } from './AdmissionError.ts';
import { AdmissionRate } from './admission-rate.ts';
import type { DeviceCredentials, UserCredentials } from './credentials.ts';
import { Pace } from './pace.ts';
import { ReturnTimes } from './return-times.ts';

/** Those who were sent away get this share of what may begin, so that newcomers find room too. */
const returnsShare = 0.8;

/** How often one device or user may connect: once a second, and so many times at once. */
const perSecond = 1;
const bursts = {
  /** An agent that runs connects once, and is restarted now and then. */
  registered: 30,
  /** One-shot commands come in loops of scripts. */
  oneShot: 200,
  /** So do those of the command line. */
  user: 200,
} as const;
const patienceSecs = 10;
/** Whoever breaks the rules of the protocol has used up as many connections more. */
const connectsPerViolation = 9;

/** How fast connections may begin, over all and of each device, judged before anything is asked of the database. */
export class ConnectPace {
  readonly #rate = new AdmissionRate();
  readonly #overall: Pace;
  readonly #own: Readonly<Record<keyof typeof bursts, Pace>>;
  readonly #returns: ReturnTimes;
  #isClosed = false;

  constructor(nowMs: () => number) {
    const { perSecond: fullRate } = this.#rate;
    this.#overall = new Pace(fullRate, fullRate, nowMs);
    this.#own = {
      registered: new Pace(perSecond, bursts.registered, nowMs),
      oneShot: new Pace(perSecond, bursts.oneShot, nowMs),
      user: new Pace(perSecond, bursts.user, nowMs),
    };
    this.#returns = new ReturnTimes(fullRate * returnsShare, nowMs);
  }

  /**
   * Lets one handshake through and answers how to make the next of the same device or user come later. Throws an AdmissionError with
   * Retry-After for one too many, which then costs others nothing.
   */
  mustBeInTime(credentials: DeviceCredentials | UserCredentials): () => void {
    const [kind, key] = keyOf(credentials);
    if (!this.#own[kind].take(key)) {
      const who = kind === 'user' ? 'This token' : 'This device';
      const retryAfterSecs = 1 + Math.floor(Math.random() * patienceSecs);
      throw new AdmissionError(429, 'Internal', `${who} connects too often.`, retryAfterSecs);
    }
    if (!this.#overall.take()) throw this.tooMany();
    return () => this.#own[kind].charge(key, connectsPerViolation);
  }

  /** The refusal for what comes while too much else begins; tells when to come back. */
  tooMany(): AdmissionError {
    return new AdmissionError(503, 'Internal', 'Too many connections begin at once.', this.returnSecs());
  }

  /** Takes note, 20 times a second, of how late the event loop was, in milliseconds, and lets in accordingly more or fewer. */
  observe(lateMs: number): void {
    if (this.#isClosed) return;
    this.#rate.observe(lateMs);
    this.#overall.perSecond = this.#rate.perSecond;
    this.#returns.perSecond = this.#rate.perSecond * returnsShare;
  }

  /** Says that nobody is let in for so long, and then by a hub at its full rate: who is told a time from now on is told such a one. */
  closeFor(durationMs: number): void {
    this.#isClosed = true;
    this.#returns.perSecond = new AdmissionRate().perSecond * returnsShare;
    this.#returns.noneFor(durationMs);
  }

  /** In how many seconds whoever is sent away now finds room. */
  returnSecs(): number {
    return this.#returns.nextSecs();
  }

  /** Forgets who has rested long enough. */
  sweep(): void {
    for (const pace of Object.values(this.#own)) pace.sweep();
  }
}

/** The public part of what they claim to be: a secret that nobody guesses, so that nobody uses up another's. */
function keyOf(credentials: DeviceCredentials | UserCredentials): [keyof typeof bursts, string] {
  if (credentials.kind === 'user') return ['user', ids.userToken.raw(credentials.token).slice(0, 22)];
  const key = ids.deviceFingerprint.raw(credentials.fingerprint).slice(0, 22);
  return [credentials.isRegistered ? 'registered' : 'oneShot', key];
}
