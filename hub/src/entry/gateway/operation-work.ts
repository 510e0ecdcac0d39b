import type { Id, Output } from '@corral/contract';
import { type Channel, ChannelClosure } from '@corral/multiplex';
import type { Executor } from '../../calls/executor.ts';
import { type Answer, type Given, systemCaller } from '../../calls/handler.ts';
import { IsStepWanted } from '../../domains/operations/internal/IsStepWanted.ts';
import { MoveStep } from '../../domains/operations/internal/MoveStep.ts';
import { RecordChannelResult } from '../../domains/operations/internal/RecordChannelResult.ts';
import { TakeStep } from '../../domains/operations/internal/TakeStep.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import { runCommand, type CommandResult } from './command-channel.ts';
import type { ConnectionRegistry, Link } from './link.ts';
import { recordWhenReady } from './record-when-ready.ts';

type Work = Output<'devices_ClaimOperationWork'>['work'][number];
type Kind = Work['step']['kind'];
type Taken = NonNullable<Answer<typeof TakeStep>>;
type StepResult = NonNullable<Given<typeof RecordChannelResult>['result']>;
type ChannelStep = Extract<Taken, { carrier: 'Channel' }>;
type StepName = Pick<ChannelStep, 'operationId' | 'stepIndex'>;
type ConnectionId = NonNullable<Link['registration']>['connectionId'];

interface HeldClaim {
  readonly kinds: readonly Kind[];
  answer(work: readonly Work[]): void;
}

/** What the gateway knows of the steps of one connection. */
interface LinkWork {
  /** Claims that wait for a step, oldest first. */
  readonly held: HeldClaim[];
  /** Steps that the device claimed over it and has not reported, by operation and index. */
  readonly claimed: Set<string>;
  /** The step whose command runs through a channel of it. */
  invoking: StepName | undefined;
  /** Until when the hub opens no such channel, because the device refused one. */
  refusedUntilMs: number;
}

interface OperationWorkParts {
  readonly executor: Executor;
  readonly registry: ConnectionRegistry;
  readonly log: { warn(fields: LogFields, message: string): void };
  readonly isStopping: () => boolean;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

const allKinds: readonly Kind[] = ['DeviceCommand', 'DeviceTask'];
/** Devices whose steps are taken at a time; each takes a connection to the database. */
const takenAtOnce = 6;
/** An ended connection with a channel counts as lost after so long, in milliseconds, and then gives the step another result. */
const lostMs = 20_000;
/** How long a device may take to accept a channel, in milliseconds. */
const openTimeoutMs = 15_000;
/** A device that refused a channel for a command is asked again after so long, in milliseconds: it may run as many commands as it can. */
const refusedMs = 60_000;

/** The raw part of an id. */
export const rawOf = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** Carries the steps of operations to the devices of this node: holds their claims until there is a step, and opens channels to devices that take commands through them. */
export class OperationWork {
  readonly #parts: OperationWorkParts;
  readonly #ofLink = new WeakMap<Link, LinkWork>();
  readonly #due = new Set<Id<'device'>>();
  #workers = 0;
  #running = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(parts: OperationWorkParts) {
    this.#parts = parts;
  }

  /** Whether the hub stops, and hands out nothing more. */
  get isStopping(): boolean {
    return this.#parts.isStopping();
  }

  /** How many commands run on devices of this node. */
  get runningCount(): number {
    return this.#running;
  }

  /** Whether the hub may open a channel for commands over a connection, as far as the gateway knows. */
  mayOpenChannel(link: Link): boolean {
    const work = this.#ofLink.get(link);
    return (
      link.isRegistered &&
      link.callsNewerNames &&
      link.connection !== undefined &&
      work?.invoking === undefined &&
      (work?.refusedUntilMs ?? -Infinity) <= this.#parts.nowMs()
    );
  }

  /** Holds a claim until there is a step for it, its channel ends, or the hub stops, which answers it without one. */
  hold(
    link: Link,
    channel: Channel,
    kinds: readonly Kind[] = allKinds,
  ): { work: Promise<readonly Work[]>; end(): void } {
    const { held } = this.#workOf(link);
    const { promise, resolve, reject } = Promise.withResolvers<readonly Work[]>();
    promise.catch(() => undefined);
    const claim: HeldClaim = {
      kinds,
      answer(work) {
        // The drain waits for the answer, which is written in this turn of the event loop.
        setImmediate(link.beginCall());
        resolve(work);
      },
    };
    if (this.#parts.isStopping()) resolve([]);
    else held.push(claim);
    const end = (): void => {
      const index = held.indexOf(claim);
      if (index >= 0) held.splice(index, 1);
    };
    void channel.closed.then(() => {
      end();
      reject(new ChannelClosure('the channel ended'));
    });
    return { work: promise, end };
  }

  /** Answers the held claims of a connection without a step. */
  release(link: Link): void {
    for (const { answer } of this.#ofLink.get(link)?.held.splice(0) ?? []) answer([]);
  }

  /** Takes the step of the device of a connection, if the hub may open a channel over it. */
  offerTo(link: Link): void {
    if (this.mayOpenChannel(link)) this.offer(link.credentialRefs.deviceId as Id<'device'>);
  }

  /** Takes the step of a device, if it is connected here and something waits for it. */
  offer(deviceId: Id<'device'>): void {
    if (this.#takerOf(deviceId) === undefined) return;
    this.#due.add(deviceId);
    if (this.#workers < takenAtOnce) void this.#work();
  }

  /** Notes that a device has got a step over a connection, which had an id when it was handed out. */
  async noteClaimed(
    link: Link,
    { deviceOperationId, stepIndex }: Work,
    connectionId: ConnectionId | undefined,
  ): Promise<void> {
    const { claimed } = this.#workOf(link);
    const key = `${deviceOperationId} ${stepIndex}`;
    // Nobody would note its end: the connection has been forgotten.
    if (claimed.has(key) || link.hasEnded) return;
    claimed.add(key);
    this.#running += 1;
    await this.#moveOn(link, { operationId: rawOf(deviceOperationId), stepIndex }, connectionId);
  }

  /** Notes that a device has reported the end of a step. */
  noteReported(link: Link, deviceOperationId: string, stepIndex: number): void {
    if (this.#ofLink.get(link)?.claimed.delete(`${deviceOperationId} ${stepIndex}`) === true) this.#ended();
  }

  /** Ends the step that a device has claimed over a connection, and of which it sent a report that cannot be read. */
  async failUnreadable(link: Link, problem: string): Promise<void> {
    const [key, ...others] = this.#ofLink.get(link)?.claimed ?? [];
    const [operationId = '', stepIndex] = key?.split(' ') ?? [];
    if (others.length > 0 || operationId === '') return;
    const error = `The report of the device cannot be read: ${problem}`;
    const recorded = { operationId: rawOf(operationId), stepIndex: Number(stepIndex) };
    await this.#parts.executor.run(systemCaller, RecordChannelResult, {
      ...recorded,
      result: { status: 'Failed', error },
    });
    this.noteReported(link, operationId, recorded.stepIndex);
  }

  /** To be called when a connection lives on under another id: its steps are not lost with the former one. */
  async moved(link: Link, former: ConnectionId | undefined): Promise<void> {
    const { claimed, invoking } = this.#workOf(link);
    const steps = [...claimed].map((key) => {
      const [operationId = '', stepIndex] = key.split(' ');
      return { operationId: rawOf(operationId), stepIndex: Number(stepIndex) };
    });
    if (invoking !== undefined) steps.push(invoking);
    for (const step of steps) await this.#move(link, step, former);
  }

  async #move(
    { registration }: Link,
    { operationId, stepIndex }: StepName,
    from: ConnectionId | undefined,
  ): Promise<void> {
    const to = registration?.connectionId;
    if (from === undefined || to === undefined || from === to) return;
    await this.#parts.executor.run(systemCaller, MoveStep, { operationId, stepIndex, from, to });
  }

  /** Moves a step that was handed out while its connection got another id. */
  async #moveOn(link: Link, step: StepName, from: ConnectionId | undefined): Promise<void> {
    await this.#move(link, step, from).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'a step could not be moved to the new id of its connection');
    });
  }

  /** To be called when a connection has ended. */
  forget(link: Link): void {
    const work = this.#ofLink.get(link);
    if (work === undefined) return;
    for (let left = work.claimed.size; left > 0; left -= 1) this.#ended();
    work.claimed.clear();
    work.held.length = 0;
  }

  /** Fulfilled as soon as no command runs on a device of this node. */
  whenIdle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#idle?.resolve();
  }

  #workOf(link: Link): LinkWork {
    let work = this.#ofLink.get(link);
    if (work === undefined) {
      work = { held: [], claimed: new Set(), invoking: undefined, refusedUntilMs: -Infinity };
      this.#ofLink.set(link, work);
    }
    return work;
  }

  #takerOf(deviceId: string): Link | undefined {
    if (this.#parts.isStopping()) return undefined;
    return this.#parts.registry
      .allOfDevice(deviceId)
      .findLast(
        (link) =>
          link.closeReason === undefined &&
          ((this.#ofLink.get(link)?.held.length ?? 0) > 0 || this.mayOpenChannel(link)),
      );
  }

  async #work(): Promise<void> {
    this.#workers += 1;
    for (const deviceId of this.#due) {
      this.#due.delete(deviceId);
      try {
        await this.#take(deviceId);
      } catch (error) {
        this.#parts.log.warn({ err: error, deviceId }, 'a step of an operation could not be handed out');
      }
    }
    this.#workers -= 1;
  }

  async #take(deviceId: Id<'device'>): Promise<void> {
    const link = this.#takerOf(deviceId);
    if (link === undefined) return;
    const work = this.#workOf(link);
    const connectionId = link.registration?.connectionId;
    const taken = await this.#parts.executor.run(systemCaller, TakeStep, {
      deviceId,
      connectionId,
      claims: [...new Set(work.held.flatMap(({ kinds }) => kinds))],
      mayOpenChannel: this.mayOpenChannel(link),
    });
    if (taken?.carrier === 'Claim') {
      const index = work.held.findIndex(({ kinds }) => kinds.includes(taken.item.step.kind));
      // Without a claim any more it goes out again with the next one.
      const [claim] = index < 0 ? [] : work.held.splice(index, 1);
      if (claim === undefined) return;
      const noted = this.noteClaimed(link, taken.item, connectionId);
      claim.answer([taken.item]);
      await noted;
    } else if (taken?.carrier === 'Channel') {
      void this.#invoke(link, taken);
      await this.#moveOn(link, taken, connectionId);
    }
  }

  async #invoke(link: Link, step: ChannelStep): Promise<void> {
    const work = this.#workOf(link);
    work.invoking = step;
    this.#running += 1;
    try {
      const result = await this.#run(link, work, step);
      await this.#record(link, step, result && this.#resultOf(link, result));
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the result of a command could not be recorded');
    } finally {
      work.invoking = undefined;
      this.#ended();
    }
  }

  /** The result of a command; undefined where the device got nothing of it. */
  async #run(
    link: Link,
    work: LinkWork,
    { operationId, step }: ChannelStep,
  ): Promise<CommandResult | undefined> {
    const { command, input, timeoutSecs } = step;
    let channel: Channel | undefined;
    try {
      channel = await link.connection?.openChannel('handler', { signal: AbortSignal.timeout(openTimeoutMs) });
    } catch {
      work.refusedUntilMs = this.#parts.nowMs() + refusedMs;
    }
    if (channel === undefined) return undefined;
    // It may have been paused or cancelled while the channel opened; where nobody knows, the step goes out again.
    const { executor } = this.#parts;
    const isWanted = await executor.run(systemCaller, IsStepWanted, { operationId }).catch(() => false);
    if (!isWanted) {
      channel.abort('the command is no longer wanted');
      return undefined;
    }
    return runCommand(channel, { command, input, timeoutSecs });
  }

  /** Our own agent ends a command with its channel; of others nobody knows. */
  #resultOf({ connection }: Link, result: CommandResult): StepResult {
    const { log } = result;
    if (result.status === 'Malformed')
      return { status: 'Failed', error: 'The device sent something that is no result.', log };
    if (result.status !== 'Lost') return result;
    const isKnown = connection?.peerKind === 'corral';
    return {
      status: 'Failed',
      error: `The connection ended while the command ran${isKnown ? ', which ended it.' : '; whether it went on is unknown.'}`,
      outcome: isKnown ? 'Interrupted' : 'Unknown',
      isOurFault: this.#parts.isStopping(),
      log,
    };
  }

  /** Until the database is there again: as long as the step has time, or its connection has not been lost. */
  async #record(
    link: Link,
    { operationId, stepIndex, step }: ChannelStep,
    result: StepResult | undefined,
  ): Promise<void> {
    const recorded = { operationId, stepIndex, result };
    const { nowMs, executor } = this.#parts;
    const endsAtMs = nowMs() + (step.timeoutSecs ?? 0) * 1000 + lostMs;
    let lostAtMs = Infinity;
    await recordWhenReady(
      () => executor.run(systemCaller, RecordChannelResult, recorded),
      () => {
        if (link.hasEnded) lostAtMs = Math.min(lostAtMs, nowMs() + lostMs);
        return nowMs() < Math.min(endsAtMs, lostAtMs);
      },
    );
  }
}
