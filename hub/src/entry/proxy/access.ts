import { hash } from 'node:crypto';
import type { EventName, Id, Output } from '@corral/contract';
import { KnownCredentials } from '../../auth/known-credentials.ts';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { coalesceRuns } from '../../platform/concurrency/coalesce-runs.ts';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently.ts';
import type { EventBus, EventListener } from '../../platform/events/bus.ts';
import { type FailureCause, ProxyFailure } from './ProxyFailure.ts';

/** The device port to which an access token gives access, and the host name under which it does. */
export interface Access {
  readonly deviceId: Id<'device'>;
  readonly hostname: string;
  readonly port: number;
}

/** Validates access tokens with a cache of two seconds, and aborts requests whose access has ended. */
export interface AccessChecks {
  /** The access of a token that is in the cache. */
  cached(token: string): Access | undefined;
  /** Whether a token was valid when it was last used, or has just been issued. That permits nothing. */
  isKnown(token: string): boolean;
  /** Notes a token that has just been issued for a host name. */
  noteIssued(token: string, hostname: string): void;
  /** The access of a token. Rejects with a ProxyFailure when it is invalid or cannot be checked. */
  check(token: string): Promise<Access>;
  /** Calls `abort` once the token is no longer valid. Returns the function that cancels the watch. */
  watch(token: string, abort: () => void): () => void;
  close(): void;
}

type Validation = Output<'devices_ValidateDeviceHttpProxyToken'>;

interface CacheEntry {
  readonly validation: Promise<Validation>;
  readonly expiresAtMs: number;
  /** Set once the validation has succeeded. */
  access: Access | undefined;
}

interface WatchedToken {
  readonly token: string;
  readonly aborts: Set<() => void>;
  lastValidAtMs: number;
}

interface Parts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly nowMs: () => number;
}

const cacheForMs = 2_000;
const maxCacheEntries = 10_000;
const recheckIntervalMs = 2_000;
/** Each recheck takes a connection to the database for a moment; thousands of streams must leave some to others. */
const recheckedAtOnce = 8;
/** Without a database no access can be revoked either; requests in progress go on for this long. */
const graceWithoutDatabaseMs = 15_000;

const revokingEvents: ReadonlySet<EventName> = new Set<EventName>([
  'users_SessionTerminated',
  'users_TokenDeleted',
  'users_SetPassword',
  'users_SetIsAdmin',
  'users_SetIsDisabled',
  'users_Deleted',
  'users_ServiceAccountDeleted',
  'projects_MemberRemoved',
  'projects_Deleted',
  'devices_Deleted',
]);

/** Calls back for events that may end an access. */
function onRevocation(callback: () => void): EventListener {
  return ({ name }) => {
    if (revokingEvents.has(name)) callback();
  };
}

const causes: Readonly<Record<string, FailureCause>> = {
  Unknown: 'noToken',
  Expired: 'expired',
  Used: 'used',
  Withdrawn: 'withdrawn',
};

/** The failure for an invalid token. */
export function failureOf({
  reason = 'Unknown',
  redirect,
}: {
  reason?: string | undefined;
  redirect?: string | undefined;
}): ProxyFailure {
  return new ProxyFailure(causes[reason] ?? 'noToken', redirect);
}

function accessOf({ deviceId, hostname = '', port = 0 }: Extract<Validation, { result: 'Valid' }>): Access {
  return { deviceId: deviceId as Id<'device'>, hostname, port };
}

type Validate = (token: string) => CacheEntry['validation'];

/** The validations of the last seconds, by token. */
function createValidationCache(validate: Validate, nowMs: () => number) {
  const entries = new Map<string, CacheEntry>();
  return {
    get(token: string): CacheEntry | undefined {
      const entry = entries.get(token);
      return entry !== undefined && entry.expiresAtMs > nowMs() ? entry : undefined;
    },
    load(token: string): CacheEntry {
      if (entries.size >= maxCacheEntries) entries.clear();
      const entry: CacheEntry = {
        validation: validate(token),
        expiresAtMs: nowMs() + cacheForMs,
        access: undefined,
      };
      // Copied, since a slice of the request's header would keep the whole header in memory.
      entries.set(Buffer.from(token).toString(), entry);
      // Errors and invalid tokens are not cached.
      const evict = (): void => void (entries.get(token) === entry && entries.delete(token));
      entry.validation.then((validation) => {
        if (validation.result === 'Valid') entry.access = accessOf(validation);
        else evict();
      }, evict);
      return entry;
    },
    delete: (token: string): void => void entries.delete(token),
    clear: (): void => entries.clear(),
  };
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');

/** Validates tokens, and remembers which were valid at last. */
function createValidator(
  executor: Executor,
): { validate: Validate } & Pick<AccessChecks, 'isKnown' | 'noteIssued'> {
  const known = new KnownCredentials();
  return {
    isKnown: (token) => known.ownerOf(digestOf(token)) !== undefined,
    noteIssued: (token, hostname) => known.note(digestOf(token), hostname),
    async validate(token) {
      const validation = await executor.invoke(systemCaller, 'devices_ValidateDeviceHttpProxyToken', {
        jwt: token,
      });
      known.note(digestOf(token), validation.result === 'Valid' ? validation.hostname : undefined);
      return validation;
    },
  };
}

/** Builds the checks. Events trigger a recheck at once; a recheck every two seconds covers events that were lost. */
export function createAccessChecks({ executor, bus, nowMs }: Parts): AccessChecks {
  const watched = new Map<string, WatchedToken>();
  const { validate, isKnown, noteIssued } = createValidator(executor);
  const cache = createValidationCache(validate, nowMs);

  const recheck = async (entry: WatchedToken): Promise<void> => {
    try {
      const { result } = await validate(entry.token);
      if (result === 'Valid') return void (entry.lastValidAtMs = nowMs());
    } catch {
      if (nowMs() - entry.lastValidAtMs < graceWithoutDatabaseMs) return;
    }
    cache.delete(entry.token);
    for (const abort of entry.aborts) abort();
  };
  const recheckAll = coalesceRuns(async () => {
    await forEachConcurrently([...watched.values()], recheckedAtOnce, recheck);
  });

  const recheckNow = (): void => {
    cache.clear();
    void recheckAll();
  };
  const unsubscribe = bus.subscribe(onRevocation(recheckNow), recheckNow);
  const timer = setInterval(() => void recheckAll(), recheckIntervalMs);

  return {
    cached: (token) => cache.get(token)?.access,
    isKnown: (token) => cache.get(token)?.access !== undefined || isKnown(token),
    noteIssued,
    async check(token) {
      const validation = await (cache.get(token) ?? cache.load(token)).validation.catch(() => {
        throw new ProxyFailure('notReady');
      });
      if (validation.result === 'Invalid') throw failureOf(validation);
      return accessOf(validation);
    },
    watch(token, abort) {
      const entry = watched.get(token) ?? { token, aborts: new Set(), lastValidAtMs: nowMs() };
      watched.set(token, entry);
      entry.aborts.add(abort);
      return () => {
        entry.aborts.delete(abort);
        if (entry.aborts.size === 0 && watched.get(token) === entry) watched.delete(token);
      };
    },
    close() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
