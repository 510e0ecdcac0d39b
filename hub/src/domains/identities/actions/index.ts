// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { GetProvider } from './GetProvider.ts';
import { GetUserIdentities } from './GetUserIdentities.ts';
import { UnlinkIdentity } from './UnlinkIdentity.ts';

/** The actions of this domain by wire name. */
export const identitiesActions = {
  users_GetProvider: GetProvider,
  users_GetUserIdentities: GetUserIdentities,
  users_UnlinkIdentity: UnlinkIdentity,
};
