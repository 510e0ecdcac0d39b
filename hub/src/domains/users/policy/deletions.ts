import type { Actor } from '@corral/contract';
import { countsOf } from '../../../auth/request-limits.ts';
import { isSteppedUp, mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';
import { countWithinLimits } from '../sql/request-limits.ts';

type Call = KeyContext & { readonly actor: Actor; readonly origin: { readonly steppedUpAt?: string } };

/** Requires a proof of who somebody is for the deletion of more than ten devices within ten minutes, whether by one call or by many. */
export async function mustDeleteWithProof(context: Call, devices: number): Promise<void> {
  const { tx, actor, now } = context;
  if (actor.actor !== 'User' || isSteppedUp(context)) return;
  const counts = countsOf(await instanceKey(context, 'request-limits'), 'unprovenDeletions', actor.userId);
  if (!(await countWithinLimits(tx, counts, now, devices))) mustBeSteppedUp(context);
}
