import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { recordEnd } from '../sql/connection-ends.ts';

/** Records the end of a connection; no effect if it has ended already or its device was deleted. */
export const UnregisterDeviceConnection: Handler<'devices_UnregisterDeviceConnection'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  isOneStatement: () => true,

  async run({ tx, actor, input, now, emit }) {
    const ended = await recordEnd(tx, {
      connectionId: ids.deviceConnection.raw(input.connectionId),
      reason: input.endReason ?? 'Disconnected',
      nodeId: actor.actor === 'ClusterNode' ? ids.clusterNode.raw(actor.nodeId) : null,
      at: now,
    });
    if (ended === undefined) return {};
    emit('devices_ConnectionChanged', {
      projectId: ids.project.of(ended.projectId),
      deviceId: ids.device.of(ended.deviceId),
      connectionId: input.connectionId,
      isConnected: ended.isConnected,
    });
    return {};
  },
};
