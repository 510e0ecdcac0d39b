// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CreateDevicePairingKey } from './CreateDevicePairingKey.ts';
import { QueryDevicePairingKeys } from './QueryDevicePairingKeys.ts';
import { RedeemDevicePairingKey } from './RedeemDevicePairingKey.ts';
import { RedeemPairingKeyForToken } from './RedeemPairingKeyForToken.ts';
import { RevokeDevicePairingKey } from './RevokeDevicePairingKey.ts';

/** The actions of this domain by wire name. */
export const pairingActions = {
  projects_CreateDevicePairingKey: CreateDevicePairingKey,
  projects_QueryDevicePairingKeys: QueryDevicePairingKeys,
  projects_RedeemDevicePairingKey: RedeemDevicePairingKey,
  projects_RedeemPairingKeyForToken: RedeemPairingKeyForToken,
  projects_RevokeDevicePairingKey: RevokeDevicePairingKey,
};
