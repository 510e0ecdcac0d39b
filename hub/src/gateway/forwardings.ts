import { ActionError, type DomainEvent } from '@corral/contract';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Forwarding } from './forward.ts';
import type { GatewayContext } from './gateway-context.ts';

const checksAtOnce = 4;

/** Aborts the streams of a user who lost access to their devices, after an event that may have revoked it. */
export async function recheckAfterEvent(context: GatewayContext, event: DomainEvent): Promise<void> {
  if (event.name !== 'projects_MemberRemoved') return;
  const { userId } = event.data;
  const concerned = [...context.forwardings].filter((forwarding) => forwarding.userId === userId);
  // The user has lost some access: when the check fails, the stream is aborted.
  await recheck(context, concerned, false);
}

/** Aborts every stream whose user lost access to its device, with or without an event; while the database is down, none. */
export function recheckForwardings(context: GatewayContext): Promise<void> {
  return recheck(context, [...context.forwardings], true);
}

/** Streams of one user to one device are checked once. */
async function recheck(
  context: GatewayContext,
  forwardings: readonly Forwarding[],
  whenUnknown: boolean,
): Promise<void> {
  const semaphore = createSemaphore({ concurrency: checksAtOnce });
  const groups = Map.groupBy(forwardings, ({ userId, deviceId }) => `${userId} ${deviceId}`);
  const check = async (group: readonly Forwarding[]): Promise<void> => {
    if (group[0] === undefined || (await isAllowed(context, group[0], whenUnknown))) return;
    for (const forwarding of group) forwarding.abort('permission denied');
  };
  await Promise.all([...groups.values()].map((group) => semaphore.run(() => check(group))));
}

async function isAllowed(
  context: GatewayContext,
  forwarding: Forwarding,
  whenUnknown: boolean,
): Promise<boolean> {
  const { userId, deviceId, actor } = forwarding;
  try {
    const caller = { actor, origin: {} };
    const input = { userId, deviceId };
    return (await context.parts.executor.invoke(caller, 'users_GetDevicePermissions', input)).hasAccess;
  } catch (error) {
    const isRefused = error instanceof ActionError && !['NotReady', 'Internal'].includes(error.kind);
    return whenUnknown && !isRefused;
  }
}
