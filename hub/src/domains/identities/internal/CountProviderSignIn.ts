import { countsOf } from '../../../auth/request-limits.ts';
import { networkOf } from '../../../auth/network.ts';
import type { Internal } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { countRequest } from '../../users/index.ts';

/** Counts a step of a sign-in at the provider, which has the hub ask it. Throws Throttled when there are too many. */
export const CountProviderSignIn: Internal<object, object> = {
  name: 'users_CountProviderSignIn',
  isForAnonymous: true,
  async run({ tx, origin: { ip }, now, vault }) {
    const key = await instanceKey({ tx, now, vault }, 'request-limits');
    const ofNetwork = countsOf(key, 'providerSignInsOfNetwork', networkOf(ip ?? ''));
    await countRequest(tx, ofNetwork, now, 'Too many sign-ins.');
    return {};
  },
};
