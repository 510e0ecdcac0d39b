// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AddPasskey } from './AddPasskey.ts';
import { BeginPasskeyRegistration } from './BeginPasskeyRegistration.ts';
import { DeletePasskey } from './DeletePasskey.ts';
import { SetPasskeyName } from './SetPasskeyName.ts';

/** The actions of this domain by wire name. */
export const passkeysActions = {
  users_AddPasskey: AddPasskey,
  users_BeginPasskeyRegistration: BeginPasskeyRegistration,
  users_DeletePasskey: DeletePasskey,
  users_SetPasskeyName: SetPasskeyName,
};
