import {
  proxyKeyPurpose,
  readProxyToken,
  signProxyToken,
  singleEntryForSecs,
} from '../../auth/proxy-token.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { hostOf } from '../../policy/proxy-wishes.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { isPassAlive, useUp } from '../../store/proxy-access.ts';

/** Turns a way in into an access, which lasts until the pass ends; one that works once is used up by this. */
export const RedeemDeviceHttpProxyToken: Handler<'devices_RedeemDeviceHttpProxyToken'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now, origins, vault }) {
    const key = await instanceKey({ tx, now, vault }, proxyKeyPurpose);
    const token = await readProxyToken(key, 'entry', input.jwt, now);
    if (token === undefined) return { result: 'Invalid', reason: 'Unknown' };
    const { pass } = token;
    const redirect = pass.redirect === undefined ? {} : { redirect: origins.console + pass.redirect };
    if (token.isOutdated) return { result: 'Invalid', ...redirect, reason: 'Expired' };
    if (!(await isPassAlive(tx, pass, now))) return { result: 'Invalid', ...redirect, reason: 'Withdrawn' };
    const outdatedAt = new Date(now.getTime() + singleEntryForSecs * 1000);
    if (pass.isSingleUse && !(await useUp(tx, pass, now, outdatedAt)))
      return { result: 'Invalid', ...redirect, reason: 'Used' };
    return {
      result: 'Redeemed',
      accessToken: await signProxyToken(key, 'access', pass, now, pass.endsAtSecs),
      hostname: hostOf(origins, pass.label),
      validForSecs: Math.max(0, pass.endsAtSecs - Math.floor(now.getTime() / 1000)),
    };
  },
};
