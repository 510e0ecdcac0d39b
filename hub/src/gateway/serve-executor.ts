import { setTimeout as delay } from 'node:timers/promises';
import { ActionError, actionNamed, errorKinds, maxInputBytesOf } from '@corral/contract';
import {
  ChannelClosure,
  serveRpc,
  type Channel,
  type InputReader,
  type RpcInput,
  type RpcOutput,
} from '@corral/multiplex';
import type { Caller } from '../executor/executor.ts';
import { JsonReader } from '../executor/json-reader.ts';
import type { Answer } from '../limits/untaken-answers.ts';
import { callerKeys } from '../limits/caller.ts';
import { encodeJson } from '../executor/json-writer.ts';
import { unpaced, type PacedCall } from './call-pace.ts';
import type { GatewayContext } from './gateway-context.ts';
import type { Link } from './link.ts';
import { reserveInput } from './reserve-input.ts';

/** Calls that only newer clients make, which keep unread data when a stream ends; the first generation uses other names. */
const drainingClientCalls: ReadonlySet<string> = new Set(['devices_SetProperty']);
/** Calls that only clients of the first generation make, which accept any number of channel requests. */
const firstGenerationCalls: ReadonlySet<string> = new Set(['devices_SetDeviceProperty']);

/** Answers the calls on an `executor` channel as the actor that connected. */
export function serveExecutor(context: GatewayContext, link: Link, channel: Channel): Promise<void> {
  const { executor } = context.parts;
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
    const ended = link.beginCall();
    try {
      const begun = await untakenAnswers.begin(keys, name);
      answer = begun;
      const json = await paced.run(async () =>
        encodeJson(await executor.execute(caller, name, valueOf(input))),
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

function callerOf({ actor, remoteAddress, credentialRefs: { projectId } }: Link): Caller {
  return {
    actor,
    origin: {
      ...(remoteAddress === undefined ? {} : { ip: remoteAddress }),
      ...(projectId === undefined ? {} : { projectId }),
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
function recogniseProgram({ connection }: Link, name: string): void {
  if (drainingClientCalls.has(name)) connection?.disableDelayedClose();
  else if (firstGenerationCalls.has(name) && connection?.peerKind === 'unknown')
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
