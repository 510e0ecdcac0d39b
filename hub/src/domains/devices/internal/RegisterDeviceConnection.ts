import { ActionError, ids, type Id } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import type { Internal } from '../../../calls/handler.ts';
import { forbidden } from '../../../auth/actors.ts';
import { holdsLease } from '../../instance/index.ts';
import { recordConnection } from '../sql/connections.ts';

interface NewConnection {
  readonly deviceId: Id<'device'>;
  readonly nodeId: Id<'clusterNode'>;
  /** The credentials of the connection; it is refused if one of them was revoked meanwhile. */
  readonly certificateId?: Id<'deviceCertificate'>;
  readonly tokenId?: Id<'deploymentTokenId'>;
  /** Where it comes from. */
  readonly address?: string | undefined;
}

/** Registers a connection; Forbidden if its credentials were revoked meanwhile, NotReady while the node has no lease. */
export const RegisterDeviceConnection: Internal<NewConnection, { connectionId: Id<'deviceConnection'> }> = {
  name: 'devices_RegisterDeviceConnection',
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
