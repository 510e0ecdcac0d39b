import { ActionError, errorKinds } from '@corral/contract';
import { serveRpc, type Channel, type RpcInput, type RpcOutput } from '@corral/multiplex';
import type { Executor } from '../executor/executor.ts';
import type { InputMemory } from './input-memory.ts';
import type { Link } from './link.ts';

/** Calls that only clients know which keep what they have not read when a stream ends: those of the first generation have other names. */
const soundSigns: ReadonlySet<string> = new Set(['devices_SetProperty']);
/** Calls that only clients of the first generation make, which take as many requests for channels as come. */
const firstGenerationSigns: ReadonlySet<string> = new Set(['devices_SetDeviceProperty']);

/** Answers the calls on an `executor` channel as the actor that connected. */
export function serveExecutor(
  executor: Executor,
  inputs: InputMemory,
  link: Link,
  channel: Channel,
): Promise<void> {
  const caller = {
    actor: link.actor,
    origin: link.remoteAddress === undefined ? {} : { ip: link.remoteAddress },
  };
  const execute = async (name: string, input: RpcInput): Promise<RpcOutput> => {
    recognize(link, name);
    const ended = link.beginCall();
    try {
      return { result: 'Ok', value: await executor.execute(caller, name, valueOf(input)) };
    } catch (error) {
      return refusal(error);
    } finally {
      // The answer is written in this turn of the event loop, so that whoever waits for the end finds it sent.
      setImmediate(ended);
    }
  };
  const onLate = (): void => channel.abort('the input takes too long');
  return serveRpc(channel, execute, {
    makeRoom: (inputBytes) => inputs.makeRoom(link, inputBytes, onLate),
  });
}

/** What a peer calls tells its generation, where its Hello tells nothing. */
function recognize({ connection }: Link, name: string): void {
  if (soundSigns.has(name)) connection?.trustPeer();
  else if (firstGenerationSigns.has(name) && connection?.peerKind === 'unknown')
    connection.peerKind = 'firstGeneration';
}

function valueOf(input: RpcInput): unknown {
  if (!input.isJson) throw new ActionError('Invalid', input.problem);
  return input.value;
}

function refusal(error: unknown): RpcOutput {
  const failure =
    error instanceof ActionError ? error : new ActionError('Internal', 'Something went wrong in the hub.');
  return { result: 'Error', error: { kind: errorKinds[failure.kind].wireKind, message: failure.message } };
}
