import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { endedCredentials } from '../../store/ended-credentials.ts';

/** Returns which of these certificates and deployment tokens have ended, for the connections that depend on them. */
export const FindEndedCredentials: Handler<'devices_FindEndedCredentials'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input }) {
    const ended = await endedCredentials(tx, {
      certificateIds: input.certificateIds.map(ids.deviceCertificate.raw),
      tokenIds: input.tokenIds.map(ids.deploymentTokenId.raw),
    });
    return {
      certificateIds: ended.certificateIds.map(ids.deviceCertificate.of),
      tokenIds: ended.tokenIds.map(ids.deploymentTokenId.of),
    };
  },
};
