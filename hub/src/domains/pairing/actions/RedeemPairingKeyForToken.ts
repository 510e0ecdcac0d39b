import type { Handler } from '../../../calls/handler.ts';
import { proveKey, redeem, refusedAfterMs } from '../policy/redemption.ts';

/** Gives a deployment token for one device, for agents that redeem no keys themselves. */
export const RedeemPairingKeyForToken: Handler<'projects_RedeemPairingKeyForToken', string, string> = {
  refusedAfterMs,
  prepare: proveKey,
  authorize: (_context, keyId) => keyId,
  run: (context, keyId) => redeem(context, keyId, async () => ({ deviceId: null })),
};
