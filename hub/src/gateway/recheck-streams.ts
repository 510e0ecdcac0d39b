import { ActionError, revocationReasons, type DomainEvent } from '@corral/contract';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts';
import type { ForwardedStream } from './forward.ts';
import type { GatewayContext } from './gateway-context.ts';

/** Each question takes a connection to the database for a moment; thousands of streams must leave some to others. */
const questionsAtOnce = 8;

const removals: ReadonlySet<string> = new Set([
  'projects_MemberRemoved',
  'users_SetIsAdmin',
  'users_SetIsDisabled',
]);

/** Aborts the streams of a user whom an event has removed from a project or disabled, or whose rights of an administrator it has ended. */
export async function recheckStreamsAfterEvent(context: GatewayContext, event: DomainEvent): Promise<void> {
  if (!removals.has(event.name)) return;
  const { userId } = event.data;
  const concerned = [...context.forwardedStreams].filter((stream) => stream.userId === userId);
  // A check that fails counts as a refusal, since a permission was revoked.
  await recheck(context, concerned, false);
}

/** Aborts every stream whose user may no longer access its device. This covers events that were lost. Without a database none is aborted. */
export function recheckStreams(context: GatewayContext): Promise<void> {
  return recheck(context, [...context.forwardedStreams], true);
}

/** Checks the streams of one caller to one device together. */
async function recheck(
  context: GatewayContext,
  forwardedStreams: readonly ForwardedStream[],
  isAllowedOnError: boolean,
): Promise<void> {
  const groups = Map.groupBy(
    forwardedStreams,
    ({ userId, deviceId, actor }) =>
      `${userId} ${deviceId} ${actor.actor === 'UserToken' ? actor.tokenId : actor.actor}`,
  );
  const check = async (group: readonly ForwardedStream[]): Promise<void> => {
    if (group[0] === undefined || (await isAllowed(context, group[0], isAllowedOnError))) return;
    for (const stream of group) stream.abort(revocationReasons.permissionDenied);
  };
  await forEachConcurrently([...groups.values()], questionsAtOnce, check);
}

async function isAllowed(
  context: GatewayContext,
  stream: ForwardedStream,
  isAllowedOnError: boolean,
): Promise<boolean> {
  const { userId, deviceId, actor } = stream;
  try {
    const caller = { actor, origin: {}, isOfHub: true };
    const input = { userId, deviceId };
    return (await context.parts.executor.invoke(caller, 'users_GetDevicePermissions', input)).hasAccess;
  } catch (error) {
    const isRefused = error instanceof ActionError && !['NotReady', 'Internal'].includes(error.kind);
    return isAllowedOnError && !isRefused;
  }
}
