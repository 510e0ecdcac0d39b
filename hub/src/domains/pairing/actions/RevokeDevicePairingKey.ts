import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnPairingKey, type ProjectAccess } from '../../projects/index.ts';
import { revokeKey } from '../sql/pairing-keys.ts';

/** Ends an open key; one that was used or has ended stays as it is. */
export const RevokeDevicePairingKey: Handler<'projects_RevokeDevicePairingKey', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnPairingKey(tx, actor, input.pairingKeyId),

  async run({ tx, input, now, emit }, { projectId }) {
    const selector = await revokeKey(tx, ids.pairingKey.raw(input.pairingKeyId), now);
    if (selector !== undefined)
      emit('projects_PairingKeyRevoked', {
        projectId: ids.project.of(projectId),
        pairingKeyId: input.pairingKeyId,
        selector,
      });
    return {};
  },
};
