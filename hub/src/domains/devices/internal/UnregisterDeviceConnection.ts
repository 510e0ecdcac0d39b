import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import type { ConnectionEndCause } from '../../../platform/db/device-tables.ts';
import { recordEnd } from '../sql/connection-ends.ts';

/** A device may say more in its Close. */
const maxDetailCharacters = 200;

interface ConnectionEnd {
  readonly connectionId: Id<'deviceConnection'>;
  readonly endReason?: 'Disconnected' | 'ServerShutdown' | undefined;
  /** How the node saw it end. */
  readonly cause?: ConnectionEndCause | undefined;
  /** What was said when it ended. */
  readonly detail?: string | undefined;
}

/** Records the end of a connection; no effect if it has ended already or its device was deleted. */
export const UnregisterDeviceConnection: Internal<ConnectionEnd, void> = {
  name: 'devices_UnregisterDeviceConnection',
  isOneStatement: () => true,

  async run({ tx, input, now, emit }) {
    const ended = await recordEnd(tx, {
      connectionId: ids.deviceConnection.raw(input.connectionId),
      reason: input.endReason ?? 'Disconnected',
      cause: input.cause,
      detail: input.detail?.slice(0, maxDetailCharacters),
      at: now,
    });
    if (ended === undefined) return;
    emit('devices_ConnectionChanged', {
      projectId: ids.project.of(ended.projectId),
      deviceId: ids.device.of(ended.deviceId),
      connectionId: input.connectionId,
      isConnected: ended.isConnected,
    });
  },
};
