import { ActionError, type DomainEvent } from '@corral/contract';
import { createGate } from '../gate.ts';
import type { Forwarding } from './forward.ts';
import type { State } from './state.ts';

const checksAtOnce = 4;

/** Cuts the streams of a user who may not reach their devices any more, after an event that may have taken it from them. */
export async function followForwardings(state: State, event: DomainEvent): Promise<void> {
  if (event.name !== 'projects_MemberRemoved') return;
  const { userId } = event.data;
  const concerned = [...state.forwardings].filter((forwarding) => forwarding.userId === userId);
  // The user has lost something: what cannot be found out is not allowed.
  await recheck(state, concerned, false);
}

/** Cuts every stream whose user may not reach its device any more, whether or not an event has told of it; without a database none. */
export function recheckForwardings(state: State): Promise<void> {
  return recheck(state, [...state.forwardings], true);
}

/** Many streams of one user to one device are asked about once. */
async function recheck(
  state: State,
  forwardings: readonly Forwarding[],
  whenUnknown: boolean,
): Promise<void> {
  const turns = createGate(checksAtOnce, Infinity, () => new Error('the line has no end'));
  const groups = Map.groupBy(forwardings, ({ userId, deviceId }) => `${userId} ${deviceId}`);
  const check = async (group: readonly Forwarding[]): Promise<void> => {
    if (group[0] === undefined || (await isAllowed(state, group[0], whenUnknown))) return;
    for (const forwarding of group) forwarding.abort('permission denied');
  };
  await Promise.all([...groups.values()].map((group) => turns.run(() => check(group))));
}

async function isAllowed(state: State, forwarding: Forwarding, whenUnknown: boolean): Promise<boolean> {
  const { userId, deviceId, actor } = forwarding;
  try {
    const caller = { actor, origin: {} };
    const input = { userId, deviceId };
    return (await state.parts.executor.invoke(caller, 'users_GetDevicePermissions', input)).hasAccess;
  } catch (error) {
    const isRefused = error instanceof ActionError && !['NotReady', 'Internal'].includes(error.kind);
    return whenUnknown && !isRefused;
  }
}
