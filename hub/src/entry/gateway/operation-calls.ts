import { ActionError, type Input, type Json } from '@corral/contract';
import type { Channel, RpcInput } from '@corral/multiplex';
import type { Caller } from '../../calls/executor.ts';
import type { GatewayContext } from './gateway-context.ts';
import type { Link } from './link.ts';
import { rawOf } from './operation-work.ts';
import { recordWhenReady } from './record-when-ready.ts';

const claimName = 'devices_ClaimOperationWork';
const reportName = 'devices_ReportOperationStep';
const maxKeptCharacters = 65_536;

/** Whether a call asks for a step over the registered connection of the device, which waits until there is one. */
export function isHeldCall(link: Link, name: string): boolean {
  return name === claimName && link.isRegistered && link.actor.actor === 'Device';
}

/** Answers a claim with a step, as soon as there is one; meanwhile it has no place among the running calls and asks nothing of the database. */
export async function claimWork(
  { parts: { executor }, operations }: GatewayContext,
  link: Link,
  channel: Channel,
  {
    caller,
    input,
    freePlace,
  }: { readonly caller: Caller; readonly input: unknown; readonly freePlace: () => void },
): Promise<unknown> {
  if (operations.isStopping) return { work: [] };
  const { kinds } = input as Partial<Input<'devices_ClaimOperationWork'>>;
  // Before the database is asked, so that no hint is missed in between.
  const claim = operations.hold(link, channel, kinds);
  const connectionId = link.registration?.connectionId;
  try {
    const origin = { ...caller.origin, ...originOf(link), mayOpenChannel: operations.mayOpenChannel(link) };
    const found = (await executor.execute({ ...caller, origin }, claimName, input)) as {
      work: Parameters<typeof operations.noteClaimed>[1][];
    };
    for (const work of found.work) await operations.noteClaimed(link, work, connectionId);
    if (found.work.length > 0) return found;
    freePlace();
    operations.offerTo(link);
    return { work: await claim.work };
  } finally {
    claim.end();
  }
}

function originOf({ registration }: Link) {
  return registration === undefined ? {} : { connectionId: rawOf(registration.connectionId) };
}

/** Runs a call of a device; a report is never refused, since an agent of 2026-08 would claim again at once, without end: it waits for the database. */
export async function executeCall(
  context: GatewayContext,
  link: Link,
  caller: Caller,
  name: string,
  input: RpcInput,
): Promise<unknown> {
  const { executor } = context.parts;
  if (name === reportName && caller.actor.actor === 'Device') return report(context, link, caller, input);
  if (!input.isJson) throw new ActionError('Invalid', input.problem);
  return executor.execute(caller, name, input.value);
}

async function report(
  { parts: { executor }, operations }: GatewayContext,
  link: Link,
  caller: Caller,
  input: RpcInput,
): Promise<object> {
  if (!input.isJson) {
    await operations.failUnreadable(link, input.problem);
    return {};
  }
  const given = input.value as Input<'devices_ReportOperationStep'>;
  const record = (value: unknown) =>
    recordWhenReady(
      () => executor.execute(caller, reportName, value),
      (error) => !link.hasEnded && error instanceof ActionError && error.kind === 'NotReady',
    );
  try {
    await record(given).catch((error: unknown) => {
      mustBeRefusal(error);
      return record({ ...given, report: storable(given?.report) });
    });
  } catch (error) {
    mustBeRefusal(error);
  }
  if (given?.report?.status !== 'Running')
    operations.noteReported(link, given?.deviceOperationId, given?.stepIndex);
  return {};
}

function mustBeRefusal(error: unknown): void {
  if (!(error instanceof ActionError) || error.kind !== 'Invalid') throw error;
}

/** A report whose output, which the hub does not store as it is, is the beginning of its text. */
function storable(report: Input<'devices_ReportOperationStep'>['report'] | undefined): unknown {
  const { status, output, error } = report ?? {};
  return {
    status,
    ...(output === undefined ? {} : { output: cleaned(JSON.stringify(output)) }),
    ...(error === undefined ? {} : { error: cleaned(String(error)) }),
  };
}

function cleaned(text: string): Json {
  return text.slice(0, maxKeptCharacters).toWellFormed().replaceAll('\0', '\ufffd');
}
