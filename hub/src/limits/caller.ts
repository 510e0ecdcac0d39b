import type { Actor } from '@corral/contract';

/** The keys by which work is counted. */
export interface CallerKeys {
  /** The id of a user or device, or an address. */
  readonly caller: string;
  /** Whose work is one party beside that of others, such as the project of a device; undefined for a caller by itself. */
  readonly group?: string | undefined;
}

interface Caller {
  readonly actor: Actor;
  readonly origin: { readonly ip?: string; readonly projectId?: string };
}

/** The key by which the calls, inputs and refusals of a caller are counted: a user with all sessions and tokens, a device, or an address without an account. */
export function callerKey({ actor, origin }: Caller): string {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return actor.userId;
  if (actor.actor === 'Device') return actor.deviceId;
  return origin.ip ?? actor.actor;
}

/** The keys by which work of a caller is counted: see `callerKey`, and for a device also the project that its link knows. */
export function callerKeys(caller: Caller): CallerKeys {
  const group = caller.actor.actor === 'Device' ? caller.origin.projectId : undefined;
  return { caller: callerKey(caller), group };
}
