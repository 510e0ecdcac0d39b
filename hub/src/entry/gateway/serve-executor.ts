import { setTimeout as delay } from 'node:timers/promises';
import {
  ActionError,
  actionNamed,
  actions,
  channelReasons,
  defaultMaxInputBytes,
  errorKinds,
  isNewerName,
  maxInputBytesOf,
} from '@corral/contract';
import {
  type Channel,
  ChannelClosure,
  type ChannelRequest,
  type InputReader,
  type InputReservation,
  type RpcInput,
  type RpcOutput,
  serveRpc,
} from '@corral/multiplex';
import { isRecordedCall } from '../../calls/audit.ts';
import type { Caller } from '../../calls/executor.ts';
import { isFaultOfCaller, toNewerError } from '../../calls/failures.ts';
import { encodeJson, JsonReader } from '../../calls/json.ts';
import type { Answer } from '../../calls/turns.ts';
import type { AllRefusedCalls } from '../../limits/bucket.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { callerKey, callerKeys, type CallerKeys } from '../../limits/limit.ts';
import { limits, longestWaitMs } from '../../limits/table.ts';
import { forward, parseForward } from './forward.ts';
import type { GatewayContext } from './gateway-context.ts';
import type { Link } from './link.ts';
import { claimWork, executeCall, isHeldCall } from './operation-calls.ts';
import { rawOf } from './operation-work.ts';

/** Clients of 2026-08 open one for each command, and have at most 32 channels on a connection. */
/** Clients open as many executors as they may, so only a faulty one has more than 20 of these rejections a second, or 40 at once. */
const framesPerExecutorRejection = 99;
const forwardTimeoutMs = 15_000;

/** Accepts or rejects a channel that a device or a command line requests. */
export function handleChannelRequest(context: GatewayContext, link: Link, request: ChannelRequest): void {
  if (request.endpoint === 'executor') return handleExecutorRequest(context, link, request);
  const to = parseForward(request.endpoint);
  if (to === undefined) return request.reject(channelReasons.unknownEndpoint);
  const parts = {
    executor: context.parts.executor,
    forwardedStreams: context.forwardedStreams,
    openTimeoutMs: context.parts.forwardTimeoutMs ?? forwardTimeoutMs,
    router: context.router,
    streamsOfUsers: context.streamsOfUsers,
  };
  forward(parts, link, request, to).catch((error: unknown) => {
    context.parts.log.error({ err: error }, 'a forwarding failed');
  });
}

/** Of these channels only a few serve a call at a time, so that a connection holds few inputs and outputs in memory. */
function handleExecutorRequest(context: GatewayContext, link: Link, request: ChannelRequest): void {
  if (link.executorCount < limits.executorsOfLink.ofCaller) return openExecutor(context, link, request);
  const { waitingExecutors } = link;
  waitingExecutors.push(request);
  // Channels whose end has just arrived are closed in the next turn of the event loop. All answers of that turn are one write.
  if (waitingExecutors.length === 1)
    setImmediate(() => {
      for (const waiting of waitingExecutors.splice(0))
        if (link.executorCount < limits.executorsOfLink.ofCaller) openExecutor(context, link, waiting);
        else waiting.reject('too many executor channels', framesPerExecutorRejection);
    });
}

function openExecutor(context: GatewayContext, link: Link, request: ChannelRequest): void {
  link.executorCount += 1;
  void serveExecutor(context, link, request.accept()).finally(() => (link.executorCount -= 1));
}

/** Calls that only newer clients make, which keep unread data when a stream ends; the first generation uses other names. */
const drainingClientCalls: ReadonlySet<string> = new Set(['devices_SetProperty']);
/** Calls that only clients of the first generation make, which accept any number of channel requests. */
const firstGenerationCalls: ReadonlySet<string> = new Set(['devices_SetDeviceProperty']);

/** Answers the calls on an `executor` channel as the actor that connected. */
function serveExecutor(context: GatewayContext, link: Link, channel: Channel): Promise<void> {
  const { largeInputs, callPace, untakenAnswers } = context;
  const caller = callerOf(link);
  const keys = callerKeys(caller);
  // The calls on a channel come one after the other.
  let answer: Answer | undefined;
  let paced: PacedCall = unpaced;
  let hasBegun = false;
  const onAnswered = (): void => {
    answer?.end();
    answer = undefined;
    if (hasBegun) context.calls.release({ caller: link.key });
    hasBegun = false;
  };
  const execute = async (name: string, input: RpcInput): Promise<RpcOutput> => {
    recogniseProgram(link, name);
    if (isHeldCall(link, name))
      return answerClaim(context, link, channel, { caller, input, freePlace: onAnswered, paced });
    const ended = link.beginCall();
    try {
      const begun = await untakenAnswers.begin(keys, name);
      answer = begun;
      const json = await paced.run(async () =>
        encodeJson(await executeCall(context, link, caller, name, input)),
      );
      begun.sending(
        json.reduce((size, { length }) => size + length, 0),
        () => channel.abort('the answer is read too slowly'),
      );
      return { result: 'Ok', json };
    } catch (error) {
      reportRefusedProperty(context, link, name, error);
      return refusal(error);
    } finally {
      // The response is written in this turn of the event loop, so the call ends only after it was sent.
      setImmediate(ended);
    }
  };
  const onLate = (): void => channel.abort('the input takes too long');
  const beforeInput = (name: string): Promise<void> | undefined => {
    paced = callPace.next(caller, name);
    hasBegun = true;
    return beginCall(context, link, channel, paced.delayMs);
  };
  return serveRpc(channel, execute, {
    beforeInput,
    onAnswered,
    openReader: (name, inputBytes) => openReader(maxInputBytesOf(name), inputBytes),
    // An input that is too large is received but not kept, so it needs no reservation.
    reserveInput: (inputBytes, name) =>
      inputBytes > maxInputBytesOf(name) ? undefined : reserveInput(largeInputs, keys, inputBytes, onLate),
  });
}

interface ClaimCall {
  readonly caller: Caller;
  readonly input: RpcInput;
  readonly paced: PacedCall;
  /** Frees what the call holds while it waits for a step. */
  readonly freePlace: () => void;
}

/** Answers a claim, which may take as long as the connection. */
async function answerClaim(
  context: GatewayContext,
  link: Link,
  channel: Channel,
  { caller, input, paced, freePlace }: ClaimCall,
): Promise<RpcOutput> {
  const ended = link.beginCall();
  const wait = (): void => {
    ended();
    freePlace();
  };
  try {
    const given = { caller, input: valueOf(input), freePlace: wait };
    const work = await paced.run(() => claimWork(context, link, channel, given));
    return { result: 'Ok', json: await encodeJson(work) };
  } catch (error) {
    return refusal(error);
  } finally {
    setImmediate(ended);
  }
}

function callerOf({ actor, remoteAddress, credentialRefs: { projectId, certificateId } }: Link): Caller {
  return {
    actor,
    origin: {
      ...(remoteAddress === undefined ? {} : { ip: remoteAddress }),
      ...(projectId === undefined ? {} : { projectId }),
      ...(certificateId === undefined ? {} : { certificateId: rawOf(certificateId) }),
    },
  };
}

function beginCall(
  { calls }: GatewayContext,
  link: Link,
  channel: Channel,
  delayMs: number,
): Promise<void> | undefined {
  const keys = { caller: link.key };
  if (delayMs === 0) return calls.acquire(keys)?.then(() => mustBeOpen(channel));
  return waitOn(link, channel, delayMs).then(() => calls.acquire(keys));
}

/** A call that waits costs nothing but its channel: its input is not read, so the peer sends no more. */
async function waitOn(link: Link, channel: Channel, delayMs: number): Promise<void> {
  link.pacedCallCount += 1;
  await delay(delayMs, undefined, { ref: false });
  link.pacedCallCount -= 1;
  mustBeOpen(channel);
}

function mustBeOpen(channel: Channel): void {
  if (channel.isClosed) throw new ChannelClosure('the channel ended');
}

function openReader(maxBytes: number, inputBytes: number): InputReader {
  const reader = new JsonReader('input', maxBytes);
  if (inputBytes > maxBytes) reader.refuseSize();
  return { push: (bytes) => reader.push(bytes), end: () => inputOf(reader) };
}

async function inputOf(reader: JsonReader): Promise<RpcInput> {
  try {
    return { isJson: true, value: await reader.end() };
  } catch (error) {
    if (error instanceof ActionError) return { isJson: false, problem: error.message };
    throw error;
  }
}

/** The calls of a peer reveal its generation when its Hello is empty. */
function recogniseProgram(link: Link, name: string): void {
  const { connection } = link;
  if (drainingClientCalls.has(name)) {
    connection?.disableDelayedClose();
    link.callsNewerNames = true;
  }
  if (firstGenerationCalls.has(name) && connection?.peerKind === 'unknown')
    connection.peerKind = 'firstGeneration';
}

function valueOf(input: RpcInput): unknown {
  if (!input.isJson) throw new ActionError('Invalid', input.problem);
  return input.value;
}

/** Agents ignore the answer when they offer their commands, so the log is where an operator learns why a device has none. */
function reportRefusedProperty(
  { parts: { log }, refusals }: GatewayContext,
  { actor }: Link,
  name: string,
  error: unknown,
): void {
  if (actor.actor !== 'Device' || actionNamed(name) !== 'devices_SetDeviceProperty') return;
  if (!(error instanceof ActionError) || error.kind !== 'Invalid') return;
  const fields = { deviceId: actor.deviceId, reason: error.message };
  refusals.write(
    'refused property',
    (...entry) => log.warn(...entry),
    fields,
    'refused a property of a device',
  );
}

function refusal(error: unknown): RpcOutput {
  const failure =
    error instanceof ActionError ? error : new ActionError('Internal', 'Something went wrong in the hub.');
  return { result: 'Error', error: { kind: errorKinds[failure.kind].wireKind, message: failure.message } };
}

/** How long a large input may take to arrive once it is being read. No minimum rate: over a slow mobile network 1 MiB takes about as long. */
const arrivalTimeoutMs = 30_000;

/** Waits for the turn of a large input of a caller, undefined for a small one; `onLate` is called when it does not arrive in time. Rejected when too many wait. */
export function reserveInput(
  largeInputs: FairSemaphore,
  keys: CallerKeys,
  inputBytes: number,
  onLate: () => void,
): Promise<InputReservation> | undefined {
  return inputBytes <= defaultMaxInputBytes ? undefined : reserve(largeInputs, keys, onLate);
}

async function reserve(
  largeInputs: FairSemaphore,
  keys: CallerKeys,
  onLate: () => void,
): Promise<InputReservation> {
  await largeInputs.acquire(keys);
  const timer = setTimeout(onLate, arrivalTimeoutMs);
  return {
    arrived: () => clearTimeout(timer),
    free: () => {
      clearTimeout(timer);
      largeInputs.release(keys);
    },
  };
}

/** When a call over a link may run. */
export interface PacedCall {
  /** How long the call waits before it begins, in milliseconds. */
  readonly delayMs: number;
  /** Runs the call, and counts it if it is refused. Rejected with an `ActionError` of kind Throttled, without running it, when too many calls of the caller wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A call that does not wait and is not counted. */
const unpaced: PacedCall = { delayMs: 0, run: (work) => work() };

/**
 * Limits the rate of refused calls of each caller over all its links, and the rate of recorded commands of each device. All calls of a caller above its rate wait, so that no
 * peer can fill the audit log.
 */
export class CallPace {
  readonly #refused: AllRefusedCalls;
  #count = 0;

  constructor(refused: AllRefusedCalls) {
    this.#refused = refused;
  }

  /** How many calls had to wait or were refused. */
  get count(): number {
    return this.#count;
  }

  /** Schedules the next call of a caller. */
  next(caller: Caller, name: string): PacedCall {
    const key = callerKey(caller);
    const refused = caller.actor.actor === 'Device' ? this.#refused.devices : this.#refused.users;
    const isCounted = refused.isBehind(key) || isRecordedOfDevice(caller, name);
    const delayMs = isCounted ? refused.waitMs(key) : 0;
    if (delayMs !== 0) this.#count += 1;
    // After an immediate refusal the caller would send the next call immediately.
    if (delayMs === undefined)
      return { delayMs: longestWaitMs, run: () => Promise.reject(tooMany(caller, name)) };
    if (isCounted) return { delayMs, run: (work) => work() };
    return { delayMs, run: (work) => countingRefusal(work, () => refused.charge(key)) };
  }
}

async function countingRefusal<Result>(work: () => Promise<Result>, count: () => void): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFaultOfCaller(error)) count();
    throw error;
  }
}

/** The recorded commands of users have a quota in the database, which is far above what people do; a device may be broken or stolen. */
function isRecordedOfDevice({ actor }: Caller, name: string): boolean {
  const action = actor.actor === 'Device' ? actionNamed(name) : undefined;
  if (action === undefined) return false;
  return isRecordedCall(actions[action], actor);
}

function tooMany({ actor }: Caller, name: string): unknown {
  const which =
    actor.actor === 'Device'
      ? 'This device makes too many calls that are refused or recorded in the audit log'
      : 'This user makes too many calls that are refused';
  const error = new ActionError('Throttled', `${which}. Try again in 5 seconds.`, { retryAfterSecs: 5 });
  return isNewerName(name) ? toNewerError(error) : error;
}
