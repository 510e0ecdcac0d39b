import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { networkOf } from '../../../auth/network.ts';
import type { Internal } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { countRequest } from '../../users/index.ts';

type Caller = Omit<Parameters<typeof mustBeSteppedUp>[0], 'now'>;

/** Counts a step of a sign-in at the provider, or a logout by it, which has the hub ask it. Throws Throttled when there are too many, and Forbidden if the user of the session has to step up first. */
export const CountProviderSignIn: Internal<
  { readonly inSession?: Caller; readonly isLogout?: boolean },
  object
> = {
  name: 'users_CountProviderSignIn',
  isForAnonymous: true,
  async run({ tx, input: { inSession, isLogout }, origin: { ip }, now, vault }) {
    if (inSession !== undefined) mustBeSteppedUp({ ...inSession, now });
    const key = await instanceKey({ tx, now, vault }, 'request-limits');
    const ofNetwork = countsOf(
      key,
      isLogout === true ? 'providerLogoutsOfNetwork' : 'providerSignInsOfNetwork',
      networkOf(ip ?? ''),
    );
    await countRequest(tx, ofNetwork, now, isLogout === true ? 'Too many sign-outs.' : 'Too many sign-ins.');
    return {};
  },
};
