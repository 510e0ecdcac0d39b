import { createHmac } from 'node:crypto';
import { networkOf } from './network.ts';
import type { Window, Windows } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import type { RequestLimit } from './request-limits.ts';
import type { SignInSubjects } from './sign-in-turns.ts';

/** Failed sign-ins are counted per account and network, per account, per network, and for the whole instance. */
type Scope = 'pair' | 'account' | 'network' | 'instance';

/** A counter of failed sign-ins. Its subject is a keyed digest, so that the table holds no address. */
export interface Counter {
  readonly scope: Scope;
  readonly subject: string;
}

/** The counters of a sign-in, and the subject under which a successful sign-in to the account from the network is remembered. */
export interface SignInAttempt {
  readonly counters: readonly Counter[];
  readonly knownSubject: string;
  /** Whose turns it takes to have the password checked. */
  readonly turns: SignInSubjects;
  /** How many sign-ins with the right password there may be: to the account from the network, and to the account. */
  readonly successes: { readonly ofPair: RequestLimit; readonly ofAccount: RequestLimit };
}

const minuteMs = 60_000;
const limitOf = {
  pair: limits.failedSignInsOfPair,
  account: limits.failedSignInsToAccount,
  network: limits.failedSignInsOfNetwork,
  instance: limits.failedSignIns,
} as const satisfies Record<Scope, { readonly windows: readonly [Window] }>;
/** Each leaves a session and rows in the audit log. Programs use tokens; a script that signs in once a minute is within the limit. */
const [{ max: maxSuccesses, secs: successSecs }] = limits.signIns.windows;
const successLimit = { max: maxSuccesses, windowSecs: successSecs };

/** The counters of a sign-in to an account (by canonical e-mail address) from a network. Those of networks and of the instance start from zero each minute. */
export function signInAttempt(key: Buffer, email: string, ip: string | undefined, now: Date): SignInAttempt {
  const network = ip === undefined ? 'unknown' : networkOf(ip);
  const minute = String(Math.floor(now.getTime() / minuteMs));
  const subject = (...parts: string[]) => digestOf(key, parts);
  const account = accountSubjects(key, email);
  const counters: Counter[] = [
    { scope: 'pair', subject: `${account.failures}/${subject('pair', email, network)}` },
    { scope: 'account', subject: account.failures },
    { scope: 'instance', subject: subject('instance', minute) },
  ];
  if (ip !== undefined) counters.push({ scope: 'network', subject: subject('network', network, minute) });
  return {
    counters,
    knownSubject: subject('known', email, network),
    turns: { account: subject('turn', email), network: subject('turn', 'network', network) },
    successes: {
      ofPair: {
        subject: `${account.successes}/${subject('success', email, network)}`,
        ...successLimit,
      },
      ofAccount: { subject: account.successes, ...successLimit },
    },
  };
}

/** The counters of an account. Those of the account and one network begin with them and a slash, so that all of an account are found. */
export function accountSubjects(key: Buffer, email: string): Record<'failures' | 'successes', string> {
  return { failures: digestOf(key, ['account', email]), successes: digestOf(key, ['success', email]) };
}

function digestOf(key: Buffer, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

/** For how many seconds a scope is blocked after a number of failures; 0 while it is not. */
export function blockSecs(scope: Scope, failures: number, now: Date): number {
  const { windows, blockSecs: firstSecs, mostBlockSecs = firstSecs }: Windows = limitOf[scope];
  const tooMany = failures - (windows[0]?.max ?? 0);
  if (tooMany < 0) return 0;
  if (firstSecs === undefined || mostBlockSecs === undefined) return remainingMinuteSecs(now);
  return Math.min(mostBlockSecs, firstSecs * 2 ** tooMany);
}

/** Whether a blocked scope admits users who have signed in from the same network before; otherwise anyone could lock out any user. */
export function admitsKnownNetworks(scope: Scope): boolean {
  return scope !== 'pair';
}

function remainingMinuteSecs(now: Date): number {
  return (minuteMs - (now.getTime() % minuteMs)) / 1000;
}
