import {
  ActionError,
  type DomainEvent,
  type Id,
  ids,
  terminalEnds,
  type TerminalEnd,
} from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { CheckTerminals } from '../../domains/terminals/internal/CheckTerminals.ts';
import { EndHostedTerminal } from '../../domains/terminals/internal/EndHostedTerminal.ts';
import { type BegunTerminal, EnterTerminal } from '../../domains/terminals/internal/EnterTerminal.ts';
import { StoreChunks } from '../../domains/terminals/internal/StoreChunks.ts';
import { amounts } from '../../limits/amounts.ts';
import { coalesceRuns } from '../../platform/concurrency/coalesce-runs.ts';
import type { EventBus } from '../../platform/events/bus.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import { Recorder } from './Recorder.ts';
import { type Holder, Seat } from './Seat.ts';
import { SecondPerson } from './SecondPerson.ts';
import type { TerminalPort } from './TerminalPort.ts';
import { type DeviceTerminal, type Ending, TerminalSession } from './TerminalSession.ts';

/** What the host of terminals depends on. */
export interface HostParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  /** Opens a terminal over the connection of a device with this node; undefined where it has none. Rejected where the device does not open it. */
  readonly openTerminal: (
    deviceId: Id<'device'>,
    user: string | undefined,
    signal: AbortSignal,
  ) => Promise<DeviceTerminal> | undefined;
  /** The node, by its raw id. */
  readonly nodeId: () => string | undefined;
  readonly now: () => Date;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly log: Record<'info' | 'warn', (fields: LogFields, message: string) => void>;
}

/** Somebody at the door of a terminal. */
export interface Entrance {
  /** Raw. */
  readonly sessionId: string;
  readonly deviceId: Id<'device'>;
  readonly holder: Holder;
}

const tickEveryMs = 1_000;
const recheckEveryMs = 2_000;
const openWithinMs = 15_000;
const againMs = 2_000;
/** After these, rights are read at once. */
const rechecked: ReadonlySet<string> = new Set([
  'devices_TerminalEndWanted',
  'devices_TerminalRecordingWaived',
  'devices_Deleted',
  'projects_Deleted',
  'projects_MemberRemoved',
  'projects_MemberRoleChanged',
  'projects_TerminalPolicyChanged',
  'users_Deleted',
  'users_SessionTerminated',
  'users_SetIsAdmin',
  'users_SetIsDisabled',
  'users_TokenDeleted',
]);

/** The terminals on the devices of this node. */
export class TerminalHost {
  readonly #parts: HostParts;
  readonly #sessions = new Map<string, TerminalSession>();
  /** Who enters a session waits for whoever entered before. */
  readonly #entering = new Map<string, Promise<void>>();
  readonly #stops: (() => void)[];
  #isStopping = false;

  constructor(parts: HostParts) {
    this.#parts = parts;
    const recheck = coalesceRuns(() => this.#recheck());
    const timers = [
      setInterval(() => this.tick(), tickEveryMs),
      setInterval(() => void recheck(), recheckEveryMs),
    ];
    const unsubscribe = parts.bus.subscribe((event: DomainEvent) => {
      if (rechecked.has(event.name)) void recheck();
    }, recheck);
    this.#stops = [...timers.map((timer) => () => clearInterval(timer)), unsubscribe];
  }

  /** How many terminals there are. */
  get count(): number {
    return this.#sessions.size;
  }

  /** Looks at the clocks of all. */
  tick(): void {
    for (const session of this.#sessions.values()) session.tick();
  }

  /** Lets somebody enter a terminal on a device of this node; whoever opened it begins it. Never rejected. */
  async enter(entrance: Entrance, port: TerminalPort): Promise<void> {
    const { sessionId } = entrance;
    const before = this.#entering.get(sessionId);
    const entering = (before ?? Promise.resolve()).then(() => this.#enter(entrance, port));
    const settled = entering.catch((error: unknown) => {
      const reason = error instanceof ActionError ? error.message : 'Something went wrong in the hub.';
      if (!(error instanceof ActionError))
        this.#parts.log.warn({ err: error }, 'a terminal could not be entered');
      port.close(reason.slice(0, 100));
    });
    this.#entering.set(sessionId, settled);
    await settled;
    if (this.#entering.get(sessionId) === settled) this.#entering.delete(sessionId);
  }

  async #enter({ sessionId, deviceId, holder }: Entrance, port: TerminalPort): Promise<void> {
    const { executor, nodeId } = this.#parts;
    if (this.#isStopping) return sayEnded(port, 'HubStopped');
    const entered = await executor.run(systemCaller, EnterTerminal, { sessionId, holder, nodeId: nodeId() });
    if (entered.result === 'Refused') return sayEnded(port, 'AccessEnded');
    if (entered.result === 'Ended') return sayEnded(port, entered.reason);
    const { rights, begun } = entered;
    const session = begun === undefined ? this.#sessions.get(sessionId) : this.#begin(sessionId, begun);
    if (session === undefined || session.hasEnded) {
      // Its node is gone, or the device has connected to another since.
      if (session === undefined)
        await executor.run(systemCaller, EndHostedTerminal, { sessionId, reason: 'DeviceDisconnected' });
      return sayEnded(port, 'DeviceDisconnected');
    }
    if (session.seats.size >= amounts.terminalPeople.max)
      return port.close('Too many people are in this terminal.');
    const role = rights.isOpener ? 'Types' : 'Watches';
    session.enter(new Seat(port, { ...rights, holder, role }));
    if (begun !== undefined) void this.#open(session, deviceId, begun.device_user ?? undefined);
  }

  #begin(sessionId: string, { key, room, approval, recording }: BegunTerminal): TerminalSession {
    const { executor, nowMs } = this.#parts;
    const session = new TerminalSession({
      secondPerson: approval === 'Watch' ? new SecondPerson(nowMs) : undefined,
      isRecordingRequired: recording === 'Required',
      recorderFor: (of) =>
        new Recorder({
          sessionId,
          key,
          room,
          patienceMs: () => of.recordingPatienceMs,
          nowMs,
          store: (next) => executor.run(systemCaller, StoreChunks, { sessionId, ...next }),
          onGap: () => of.noteGap(),
          onHeld: (isHeld) => of.holdForRecording(isHeld),
          onFailed: () => void of.end({ reason: 'RecordingFailed' }),
        }),
      nowMs,
      onEnded: (ending) => this.#record(sessionId, ending),
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  async #open(session: TerminalSession, deviceId: Id<'device'>, user: string | undefined): Promise<void> {
    try {
      const device = await this.#parts.openTerminal(deviceId, user, AbortSignal.timeout(openWithinMs));
      if (device === undefined) return await session.end({ reason: 'DeviceDisconnected' });
      await session.run(device);
    } catch (error) {
      this.#parts.log.info({ deviceId, err: error }, 'a device opened no terminal');
      await session.end({ reason: 'DeviceUnreachable' });
    }
  }

  /** Until the database is there again: its row would stay open. */
  async #record(sessionId: string, ending: Ending): Promise<void> {
    for (;;) {
      try {
        await this.#parts.executor.run(systemCaller, EndHostedTerminal, { sessionId, ...ending });
        break;
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'the end of a terminal could not be recorded');
        if (this.#isStopping) break;
        await new Promise((resolve) => setTimeout(resolve, againMs).unref());
      }
    }
    this.#sessions.delete(sessionId);
  }

  /** Ends what has to end, and has those leave who may not be in a terminal any more. Without a database nobody leaves. */
  async #recheck(): Promise<void> {
    const sessions = [...this.#sessions].filter(([, { hasEnded }]) => !hasEnded);
    if (sessions.length === 0) return;
    const seated = sessions.flatMap(([sessionId, { seats, absentTyper }]) => [
      ...[...seats].map(({ key, holder }) => ({ key, sessionId, ...holder })),
      ...(absentTyper === undefined ? [] : [{ key: absentKey(sessionId), sessionId, ...absentTyper }]),
    ]);
    const input = { sessionIds: sessions.map(([sessionId]) => sessionId), seated };
    const found = await this.#parts.executor.run(systemCaller, CheckTerminals, input).catch(() => undefined);
    if (found === undefined) return;
    for (const { sessionId, by } of found.toEnd)
      void this.#sessions
        .get(sessionId)
        ?.end(by === undefined ? { reason: 'AccessEnded' } : { reason: 'Closed', by });
    for (const sessionId of found.waived) this.#sessions.get(sessionId)?.waiveRecording();
    const rights = new Map(found.rights.map((right) => [right.key, right]));
    const asked = new Set(seated.map(({ key }) => key));
    for (const [sessionId, session] of sessions) check(session, sessionId, { asked, rights });
  }

  /** Ends all terminals, and records them. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const stop of this.#stops) stop();
    await Promise.all([...this.#sessions.values()].map((session) => session.end({ reason: 'HubStopped' })));
  }
}

const absentKey = (sessionId: string): string => `absent ${sessionId}`;

/** Has those leave who have no rights any more; without one who types it ends. */
function check(
  session: TerminalSession,
  sessionId: string,
  found: {
    readonly asked: ReadonlySet<string>;
    readonly rights: ReadonlyMap<string, { readonly isApprover: boolean }>;
  },
): void {
  if (session.hasEnded) return;
  const isLost = (key: string): boolean => found.asked.has(key) && !found.rights.has(key);
  const lost = [...session.seats].filter(({ key }) => isLost(key));
  for (const seat of session.seats)
    session.setApprover(seat, found.rights.get(seat.key)?.isApprover ?? seat.isApprover);
  const typers = [...session.seats].filter(({ role }) => role === 'Types');
  const isTyperLost =
    typers.length === 0 ? isLost(absentKey(sessionId)) : typers.every((seat) => lost.includes(seat));
  if (isTyperLost) return void session.end({ reason: 'AccessEnded' });
  for (const seat of lost) {
    seat.tell({ type: 'Ended', reason: 'AccessEnded', message: terminalEnds.AccessEnded });
    session.leave(seat);
  }
}

/** Tells a client that there is nothing to enter. */
export function sayEnded(port: TerminalPort, reason: TerminalEnd): void {
  port.send(JSON.stringify({ type: 'Ended', reason, message: terminalEnds[reason] }));
  port.close();
}

/** The raw id of a login session or token, for whoever enters. */
export function holderOf(identity: {
  readonly userId?: Id<'user'>;
  readonly sessionId?: Id<'session'>;
  readonly tokenId?: Id<'userTokenId'>;
}): Holder | undefined {
  const { userId, sessionId, tokenId } = identity;
  if (userId === undefined) return undefined;
  return {
    userId: ids.user.raw(userId),
    loginSessionId: sessionId && ids.session.raw(sessionId),
    tokenId: tokenId && ids.userTokenId.raw(tokenId),
  };
}
