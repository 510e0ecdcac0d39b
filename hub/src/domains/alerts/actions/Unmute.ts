import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwn, mustSeeMute, type Place } from '../policy/access.ts';
import { ofProject } from '../policy/event-data.ts';
import { deleteMute } from '../sql/mutes.ts';

/** Ends a mute; who may make one like it may. */
export const Unmute: Handler<'alerts_Unmute', Place> = {
  authorize: async ({ tx, actor, input }) => mustSeeMute(tx, actor, input.muteId),

  async run({ tx, input: { muteId }, emit }, place) {
    const deleted = await deleteMute(tx, ids.alertMute.raw(muteId));
    if (deleted === undefined) throw notFound('Mute');
    if (!deleted.isOfDevices) mustOwn(place);
    emit('alerts_Unmuted', { ...ofProject(place.projectId), muteId });
    return {};
  },
};
