import { hash } from 'node:crypto';
import type { DomainEvent, EventName, Id, Output } from '@corral/contract';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';
import { ProxyFailure, type FailureCause } from './ProxyFailure.ts';

/** What an access token opens. */
export interface Access {
  readonly deviceId: Id<'device'>;
  readonly hostname: string;
  readonly port: number;
}

/** Knows which accesses hold, at most two seconds late, and cuts streams whose access has ended. */
export interface AccessChecks {
  /** What the token opens. Rejected with a ProxyFailure when it opens nothing, or it cannot be found out. */
  check(token: string): Promise<Access>;
  /** Has a live stream cut once its access does not hold any more; the answer ends the watch. */
  watch(token: string, cut: () => void): () => void;
  close(): void;
}

interface Known {
  readonly answer: Promise<Output<'devices_ValidateDeviceHttpProxyToken'>>;
  readonly untilMs: number;
}

interface Watched {
  readonly token: string;
  readonly cuts: Set<() => void>;
  validAtMs: number;
}

interface Parts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly nowMs: () => number;
}

const rememberMs = 2_000;
const maxKnown = 10_000;
const lookEveryMs = 2_000;
/** While nothing can be found out, nothing can be withdrawn either; but not for ever. */
const trustedWithoutAnswerMs = 15_000;
const hub = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

const endings: ReadonlySet<EventName> = new Set<EventName>([
  'users_SessionTerminated',
  'users_TokenDeleted',
  'users_SetPassword',
  'users_SetIsAdmin',
  'users_Deleted',
  'projects_MemberRemoved',
  'projects_Deleted',
  'devices_Deleted',
]);

const causes: Readonly<Record<string, FailureCause>> = {
  Unknown: 'noToken',
  Expired: 'expired',
  Used: 'used',
  Withdrawn: 'withdrawn',
};

/** The failure of a token that opens nothing. */
export function failureOf({
  reason = 'Unknown',
  redirect,
}: {
  reason?: string | undefined;
  redirect?: string | undefined;
}): ProxyFailure {
  return new ProxyFailure(causes[reason] ?? 'noToken', redirect);
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');

/** Builds the checks; what ends an access is heard on the bus, and looked for every two seconds besides. */
export function createAccessChecks({ executor, bus, nowMs }: Parts): AccessChecks {
  const known = new Map<string, Known>();
  const watched = new Map<string, Watched>();

  const ask = (token: string): Known['answer'] =>
    executor.invoke(hub, 'devices_ValidateDeviceHttpProxyToken', { jwt: token });

  const recall = (token: string): Known['answer'] => {
    const key = keyOf(token);
    const past = known.get(key);
    if (past !== undefined && past.untilMs > nowMs()) return past.answer;
    if (known.size >= maxKnown) known.clear();
    const entry = { answer: ask(token), untilMs: nowMs() + rememberMs };
    known.set(key, entry);
    // Neither failures nor guesses are remembered.
    const forget = (): void => void (known.get(key) === entry && known.delete(key));
    entry.answer.then((answer) => void (answer.result === 'Valid' || forget()), forget);
    return entry.answer;
  };

  const look = async (stream: Watched): Promise<void> => {
    try {
      const { result } = await ask(stream.token);
      if (result === 'Valid') return void (stream.validAtMs = nowMs());
    } catch {
      if (nowMs() - stream.validAtMs < trustedWithoutAnswerMs) return;
    }
    known.delete(keyOf(stream.token));
    for (const cut of stream.cuts) cut();
  };
  const lookAtAll = (): Promise<void[]> => Promise.all([...watched.values()].map(look));

  const follow = (event: DomainEvent): void => {
    if (!endings.has(event.name)) return;
    known.clear();
    void lookAtAll();
  };
  const unsubscribe = bus.subscribe(follow);
  const timer = setInterval(() => void lookAtAll(), lookEveryMs);

  return {
    async check(token) {
      const answer = await recall(token).catch(() => {
        throw new ProxyFailure('notReady');
      });
      if (answer.result === 'Invalid') throw failureOf(answer);
      const { deviceId, hostname = '', port = 0 } = answer;
      return { deviceId: deviceId as Id<'device'>, hostname, port };
    },
    watch(token, cut) {
      const stream = watched.get(token) ?? { token, cuts: new Set(), validAtMs: nowMs() };
      watched.set(token, stream);
      stream.cuts.add(cut);
      return () => {
        stream.cuts.delete(cut);
        if (stream.cuts.size === 0 && watched.get(token) === stream) watched.delete(token);
      };
    },
    close() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
