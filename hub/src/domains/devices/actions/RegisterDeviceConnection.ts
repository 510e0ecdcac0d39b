import { ActionError, ids } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { forbidden, mustBeHub } from '../../users/index.ts';
import { holdsLease } from '../../instance/index.ts';
import { recordConnection } from '../sql/connections.ts';

/** Registers a connection; Forbidden if its credentials were revoked meanwhile, NotReady while the node has no lease. */
export const RegisterDeviceConnection: Handler<'devices_RegisterDeviceConnection'> = {
  authorize({ actor, input }) {
    mustBeHub(actor);
    if (actor.actor === 'ClusterNode' && actor.nodeId !== input.nodeId)
      throw forbidden('A node may only speak for itself.');
  },

  isOneStatement: () => true,

  async run({ tx, input, now, emit }) {
    const nodeId = ids.clusterNode.raw(input.nodeId);
    const connectionId = newRawId();
    const connection = {
      connectionId,
      deviceId: ids.device.raw(input.deviceId),
      nodeId,
      certificateId: input.certificateId && ids.deviceCertificate.raw(input.certificateId),
      tokenId: input.tokenId && ids.deploymentTokenId.raw(input.tokenId),
      address: input.address,
    };
    const rawProjectId = await recordConnection(tx, connection, now);
    if (rawProjectId === undefined && !(await holdsLease(tx, nodeId, now))) throw joiningAgain();
    if (rawProjectId === undefined)
      throw forbidden('The device, its certificate or its deployment token is no longer admitted.');
    const publicId = ids.deviceConnection.of(connectionId);
    emit('devices_ConnectionChanged', {
      projectId: ids.project.of(rawProjectId),
      deviceId: input.deviceId,
      connectionId: publicId,
      isConnected: true,
    });
    return { connectionId: publicId };
  },
};

function joiningAgain(): ActionError {
  return new ActionError('NotReady', 'The hub is joining its cluster again. Try again in a moment.', {
    retryAfterSecs: 5,
  });
}
