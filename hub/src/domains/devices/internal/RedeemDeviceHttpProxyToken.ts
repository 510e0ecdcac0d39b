import type { ProxyTokenFault } from '@corral/contract';
import {
  proxyKeyPurpose,
  readProxyToken,
  signProxyToken,
  singleUseLifetimeSecs,
} from '../../../auth/proxy-token.ts';
import type { Internal } from '../../../calls/handler.ts';
import { hostOf } from '../policy/proxy-token-options.ts';
import { instanceKey } from '../../instance/index.ts';
import { isGrantValid, redeemOnce } from '../sql/proxy-access.ts';

type Redemption =
  | { readonly result: 'Invalid'; readonly redirect?: string; readonly reason: ProxyTokenFault }
  | {
      readonly result: 'Redeemed';
      readonly accessToken: string;
      readonly hostname: string;
      readonly validForSecs: number;
    };

/** Exchanges an entry token for an access token that lasts until the grant ends. A single-use grant is redeemed only once. */
export const RedeemDeviceHttpProxyToken: Internal<{ jwt: string }, Redemption> = {
  name: 'devices_RedeemDeviceHttpProxyToken',
  async run({ tx, input, now, origins, vault }) {
    const key = await instanceKey({ tx, now, vault }, proxyKeyPurpose);
    const token = await readProxyToken(key, 'entry', input.jwt, now);
    if (token === undefined) return { result: 'Invalid', reason: 'Unknown' };
    const { grant } = token;
    const redirect = grant.redirect === undefined ? {} : { redirect: origins.console + grant.redirect };
    if (token.isExpired) return { result: 'Invalid', ...redirect, reason: 'Expired' };
    if (!(await isGrantValid(tx, grant, now))) return { result: 'Invalid', ...redirect, reason: 'Withdrawn' };
    const expiresAt = new Date(now.getTime() + singleUseLifetimeSecs * 1000);
    if (grant.isSingleUse && !(await redeemOnce(tx, grant, now, expiresAt)))
      return { result: 'Invalid', ...redirect, reason: 'Used' };
    return {
      result: 'Redeemed',
      accessToken: await signProxyToken(key, 'access', grant, now, grant.endsAtSecs),
      hostname: hostOf(origins, grant.label),
      validForSecs: Math.max(0, grant.endsAtSecs - Math.floor(now.getTime() / 1000)),
    };
  },
};
