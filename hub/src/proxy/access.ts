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
  /** What the token opens, where that was found out just now. */
  recall(token: string): Access | undefined;
  /** What the token opens. Rejected with a ProxyFailure when it opens nothing, or it cannot be found out. */
  check(token: string): Promise<Access>;
  /** Has a live stream cut once its access does not hold any more; the answer ends the watch. */
  watch(token: string, cut: () => void): () => void;
  close(): void;
}

type Answer = Output<'devices_ValidateDeviceHttpProxyToken'>;

interface Known {
  readonly answer: Promise<Answer>;
  readonly untilMs: number;
  /** Set once the answer is there, and good. */
  access: Access | undefined;
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

function accessOf({ deviceId, hostname = '', port = 0 }: Extract<Answer, { result: 'Valid' }>): Access {
  return { deviceId: deviceId as Id<'device'>, hostname, port };
}

/** Builds the checks; what ends an access is heard on the bus, and looked for every two seconds besides. */
export function createAccessChecks({ executor, bus, nowMs }: Parts): AccessChecks {
  const known = new Map<string, Known>();
  const watched = new Map<string, Watched>();

  const ask = (token: string): Known['answer'] =>
    executor.invoke(hub, 'devices_ValidateDeviceHttpProxyToken', { jwt: token });

  const recall = (token: string): Known | undefined => {
    const past = known.get(token);
    return past !== undefined && past.untilMs > nowMs() ? past : undefined;
  };

  const find = (token: string): Known => {
    if (known.size >= maxKnown) known.clear();
    const found: Known = { answer: ask(token), untilMs: nowMs() + rememberMs, access: undefined };
    // A copy, since a part of a text keeps the whole of it, which is the header that a client sent.
    known.set(Buffer.from(token).toString(), found);
    // Neither failures nor guesses are remembered.
    const forget = (): void => void (known.get(token) === found && known.delete(token));
    found.answer.then((answer) => {
      if (answer.result === 'Valid') found.access = accessOf(answer);
      else forget();
    }, forget);
    return found;
  };

  const look = async (stream: Watched): Promise<void> => {
    try {
      const { result } = await ask(stream.token);
      if (result === 'Valid') return void (stream.validAtMs = nowMs());
    } catch {
      if (nowMs() - stream.validAtMs < trustedWithoutAnswerMs) return;
    }
    known.delete(stream.token);
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
    recall: (token) => recall(token)?.access,
    async check(token) {
      const answer = await (recall(token) ?? find(token)).answer.catch(() => {
        throw new ProxyFailure('notReady');
      });
      if (answer.result === 'Invalid') throw failureOf(answer);
      return accessOf(answer);
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
